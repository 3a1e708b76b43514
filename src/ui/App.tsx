// The screen's root: what the store shows, laid out. No protocol, no key, no decision.

import type { ReactNode } from "react";
import { Screen } from "./components/Screen.tsx";
import type { Store } from "./store.ts";
import { useSession } from "./useSession.ts";
import type { ColourLevel } from "./view/style.ts";

/** Draws what the store shows. */
export function App({ store, level }: { store: Store; level: ColourLevel }): ReactNode {
	const { view, input } = useSession(store);
	return <Screen view={view} input={input} level={level} />;
}

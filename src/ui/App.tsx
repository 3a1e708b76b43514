// The root of all that components draw: the live area, in the colours of the terminal. Layout only; all it draws comes in.

import type { ReactNode } from "react";
import { ColourContext } from "./components/Lines.tsx";
import { LiveArea } from "./components/LiveArea.tsx";
import type { Shown } from "./store.ts";
import type { ColourLevel } from "./view/style.ts";

/** Draws what the store shows. */
export function App({ view, input, level }: Shown & { level: ColourLevel }): ReactNode {
	return (
		<ColourContext value={level}>
			<LiveArea view={view} input={input} />
		</ColourContext>
	);
}

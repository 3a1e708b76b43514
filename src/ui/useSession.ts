// The one tie between React and the store.

import { useSyncExternalStore } from "react";
import type { Shown, Store } from "./store.ts";

/** What the store shows, drawn anew each time that it changes. */
export function useSession(store: Store): Shown {
	return useSyncExternalStore(store.subscribe, store.shown);
}

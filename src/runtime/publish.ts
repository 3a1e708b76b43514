// Tells listeners what happened: facts once they are on the disk, live things at once. A listener that throws is
// dropped with a diagnostic; it can never stop the session.

import type { SessionEvent } from "../session/events.ts";
import type { LiveDelta } from "../session/live.ts";

/** What a listener hears. `seq` is the commit that holds the events. */
export type Publication =
	| { kind: "facts"; seq: number; at: string; events: readonly SessionEvent[] }
	| { kind: "live"; delta: LiveDelta };

export type Listener = (publication: Publication) => void;

/** A list of listeners. */
export interface Publisher {
	publish(publication: Publication): void;
	/** Adds a listener; the returned function takes it away. */
	subscribe(listener: Listener): () => void;
}

/** An empty list of listeners; `onFault` hears of one that threw. */
export function createPublisher(onFault: (error: unknown) => void): Publisher {
	const listeners = new Set<Listener>();
	return {
		publish(publication) {
			for (const listener of [...listeners]) {
				try {
					listener(publication);
				} catch (error) {
					listeners.delete(listener);
					onFault(error);
				}
			}
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}

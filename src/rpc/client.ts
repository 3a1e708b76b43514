// A client's end of the protocol, whatever carries it.

import type { ClientRequest, Notification, RequestResult, SessionGreeting, ValueOf } from "./protocol.ts";

export interface Client {
	/** The session it is in now. */
	readonly greeting: SessionGreeting;
	/** Sends a request; resolves once it is carried out or refused. */
	send<R extends ClientRequest>(request: R): Promise<RequestResult<ValueOf<R>>>;
	/** Hears everything from now on; the returned function stops that. */
	listen(listener: (notification: Notification) => void): () => void;
}

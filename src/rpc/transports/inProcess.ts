// Client and server in one process: requests and notifications pass as they are, through the same protocol.

import type { Client } from "../client.ts";
import type { Server } from "../server.ts";

/** A client of `server`. */
export function connectInProcess(server: Server): Client {
	return {
		get greeting() {
			return server.greeting;
		},
		send: (request) => server.perform(request),
		listen: (listener) => server.listen(listener),
	};
}

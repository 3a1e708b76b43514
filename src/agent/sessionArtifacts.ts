// The artifacts of one session, out of its state and its blobs. In a subagent those of its parent come after its own.

import type { Artifacts } from "../ports/artifacts.ts";
import type { SessionWriter } from "../ports/session.ts";
import { AgiError } from "../types.ts";

/** What `session` may read; `above` are its parent's. */
export function sessionArtifacts(
	session: Pick<SessionWriter, "state" | "getBlob">,
	above?: Artifacts,
): Artifacts {
	return {
		list: () => [
			...(above?.list() ?? []),
			...session.state.artifacts.map(({ artifactId: id, bytes, summary }) => ({ id, bytes, summary })),
		],
		async read(id) {
			const own = session.state.artifacts.find(({ artifactId }) => artifactId === id);
			if (own) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await session.getBlob(own.digest));
			if (!above) throw new AgiError("BUG", `no artifact ${id} is listed`);
			return above.read(id);
		},
	};
}

// Gives a wrapper the descriptors it was promised: from 3 on, in order.

import type { ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import type { InheritedFd } from "../../ports/sandbox.ts";

/** Entries for the `stdio` of a spawn, and what is to be done right after it. */
export interface OpenFds {
	stdio: ("pipe" | number)[];
	/** Feeds the started child; what its status pipe said, once that is closed, or undefined where it has none. */
	feed(child: ChildProcess): Promise<string> | undefined;
	/** Gives back what was opened; to be called once, after the spawn or instead of it. */
	close(): void;
}

/** Opens what `fds` needs. */
export function openFds(fds: readonly InheritedFd[]): OpenFds {
	const empty = fds.includes("empty") ? openSync("/dev/null", "r") : undefined;
	return {
		stdio: fds.map((fd) => (fd === "empty" ? empty! : "pipe")),
		feed(child) {
			let status: Promise<string> | undefined;
			for (const [index, fd] of fds.entries()) {
				const stream = child.stdio[3 + index];
				// A wrapper that ends early tells so by its exit.
				stream?.on("error", () => {});
				if (typeof fd === "object") (stream as Writable).end(fd.bytes);
				else if (fd === "status") status = readAll(stream as Readable);
			}
			return status;
		},
		close() {
			if (empty !== undefined) closeSync(empty);
		},
	};
}

function readAll(stream: Readable): Promise<string> {
	return new Promise((resolve) => {
		let text = "";
		stream.setEncoding("utf8").on("data", (part: string) => {
			text += part;
		});
		stream.once("close", () => resolve(text));
	});
}

// A workspace with everything that a command in a sandbox must not change, and beside it what it must not see. It lies
// outside of the temp folders, which a sandbox replaces, so that a probe that fails has met a wall and not a void.

import {
	chmodSync,
	chownSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** Where the probes run; real absolute paths. */
export interface ProbePlace {
	outer: string;
	/** The workspace. */
	root: string;
	home: string;
	/** agi's folders. */
	config: string;
	data: string;
	cache: string;
	/** A unix socket in the workspace, an abstract one, and a port of this machine; each listens. */
	socket: string;
	abstract: string;
	port: number;
	/** How many connections came. */
	connections(): number;
	remove(): void;
}

/** What stands in the workspace and beside it, by path below the outer folder. */
const FILES: Record<string, string> = {
	"ws/file.txt": "old\n",
	"ws/.git/HEAD": "ref: refs/heads/main\n",
	"ws/.git/config": "[core]\n",
	"ws/.git/hooks/keep": "",
	"ws/.git/objects/keep": "",
	"ws/.git/refs/keep": "",
	"ws/pkg/a/nested/.git/config": "[core]\n",
	"ws/moved/.git/config": "[core]\n",
	"ws/tree/.git": "gitdir: ../gitdirs/tree\n",
	"ws/gitdirs/tree/config": "[core]\n",
	"ws/gitdirs/tree/commondir": "../common\n",
	"ws/gitdirs/common/config": "[core]\n",
	"ws/.agent/rules.md": "rules\n",
	"ws/.agent/logs/agent.jsonl": "LOG-CANARY\n",
	"ws/.envrc": "export A=1\n",
	"ws/.vscode/tasks.json": "{}\n",
	"ws/.bashrc": "old\n",
	"beside.txt": "old\n",
	"home/.ssh/id_ed25519": "KEY-CANARY\n",
	"home/.bash_history": "HISTORY-CANARY\n",
	"home/.aws/credentials": "AWS-CANARY\n",
	"home/.npmrc": "NPM-CANARY\n",
	"config/credentials.json": "LOGIN-CANARY\n",
	"data/projects/p/log.jsonl": "SESSION-CANARY\n",
};

/** Makes the place; everything in it belongs to `uid`. */
export async function createProbePlace(uid: number): Promise<ProbePlace> {
	const outer = mkdtempSync(join(process.getuid?.() === 0 ? "/var/lib" : homedir(), "agi-probes-"));
	for (const [name, content] of Object.entries(FILES)) {
		mkdirSync(dirname(join(outer, name)), { recursive: true });
		writeFileSync(join(outer, name), content);
	}
	mkdirSync(join(outer, "cache"));
	symlinkSync(join(outer, "beside.txt"), join(outer, "ws", "link.txt"));
	let connections = 0;
	const servers: Server[] = [];
	const listen = (where: { path: string } | { port: number; host: string }) =>
		new Promise<Server>((resolve, reject) => {
			const server = createServer((link) => {
				connections++;
				link.destroy();
			});
			servers.push(server);
			server.once("error", reject).listen(where, () => resolve(server));
		});
	const socket = join(outer, "ws", "socket");
	await listen({ path: socket });
	chmodSync(socket, 0o777);
	const abstract = `agi-probe-${process.pid}-${outer.slice(-6)}`;
	await listen({ path: `\0${abstract}` });
	const tcp = await listen({ port: 0, host: "127.0.0.1" });
	own(outer, uid);
	return {
		outer,
		root: join(outer, "ws"),
		home: join(outer, "home"),
		config: join(outer, "config"),
		data: join(outer, "data"),
		cache: join(outer, "cache"),
		socket,
		abstract,
		port: (tcp.address() as { port: number }).port,
		connections: () => connections,
		remove() {
			for (const server of servers) server.close();
			rmSync(outer, { recursive: true, force: true });
		},
	};
}

function own(path: string, uid: number): void {
	if (process.getuid?.() !== 0 || lstatSync(path).isSymbolicLink()) return;
	chownSync(path, uid, uid);
	if (!lstatSync(path).isDirectory()) return;
	for (const name of readdirSync(path)) own(join(path, name), uid);
}

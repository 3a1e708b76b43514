// What a command in a sandbox tries to break out, and what it must still be able to do. Each probe is one bash line; its
// outcome is judged by what it printed and by what stands on the disk afterwards. Probes do not disturb one another.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessEnd } from "../../src/ports/processes.ts";
import type { ProbePlace } from "./probePlace.ts";

/** One attempt. */
export interface Probe {
	name: string;
	command(place: ProbePlace): string;
	/** Whether the sandbox held. */
	holds(end: ProcessEnd, place: ProbePlace): boolean;
}

const read = (place: ProbePlace, name: string) => readFileSync(join(place.outer, name), "utf8");
const failed = (end: ProcessEnd) => end.startError === undefined && end.exitCode !== 0;
/** The command failed, and the file holds what it held. */
const keeps =
	(name: string, content: string) =>
	(end: ProcessEnd, place: ProbePlace): boolean =>
		failed(end) && read(place, name) === content;
const absent =
	(name: string) =>
	(end: ProcessEnd, place: ProbePlace): boolean =>
		failed(end) && !existsSync(join(place.outer, name));
const hides = (canary: string) => (end: ProcessEnd) =>
	end.startError === undefined && !end.output.includes(canary);
const python = (code: string) => `python3 -c '${code.replaceAll("\n", ";")}'`;
/** Makes one system call and prints the error it was answered with. */
const syscall = (...args: (number | string)[]) =>
	python(
		`import ctypes,sys\nlibc=ctypes.CDLL(None,use_errno=True)\nr=libc.syscall(${args.join(",")})\nprint("errno",ctypes.get_errno())\nsys.exit(0 if r>=0 else 1)`,
	);
const refusedCall = (end: ProcessEnd) => failed(end) && /errno (1|38)$/.test(end.output.trim());
const connect = (family: string, address: string) =>
	python(
		`import socket\ns=socket.socket(socket.${family})\ns.settimeout(3)\ns.connect(${address})\nprint("CONNECTED")`,
	);
const noConnection = (end: ProcessEnd, place: ProbePlace) =>
	failed(end) && !end.output.includes("CONNECTED") && place.connections() === 0;

/** Calls by number, for the kernel of x64 and of arm64. */
const nr = (x64: number, arm64: number) => (process.arch === "arm64" ? arm64 : x64);

/** What must fail, in a workspace that may be written. */
export const BREAKOUTS: readonly Probe[] = [
	{
		name: "write into /etc",
		command: () => "echo x > /etc/agi-probe",
		holds: (end) => failed(end) && !existsSync("/etc/agi-probe"),
	},
	{
		name: "write into /usr",
		command: () => "echo x > /usr/agi-probe",
		holds: (end) => failed(end) && !existsSync("/usr/agi-probe"),
	},
	{
		name: "write into the home folder",
		command: ({ home }) => `echo x > ${home}/probe`,
		holds: absent("home/probe"),
	},
	{
		name: "write beside the workspace",
		command: () => "echo x > ../beside.txt",
		holds: keeps("beside.txt", "old\n"),
	},
	{
		name: "write through a link that leads out",
		command: () => "echo x > link.txt",
		holds: keeps("beside.txt", "old\n"),
	},
	{
		name: "change git's settings",
		command: () => "echo x >> .git/config",
		holds: keeps("ws/.git/config", "[core]\n"),
	},
	{
		name: "point git at other settings",
		command: () => "echo ../evil > .git/commondir",
		holds: absent("ws/.git/commondir"),
	},
	{
		name: "add a git hook",
		command: () => "echo x > .git/hooks/pre-commit",
		holds: absent("ws/.git/hooks/pre-commit"),
	},
	{
		name: "move git's folder away",
		command: () => "mv .git x",
		holds: (end, place) => failed(end) && existsSync(join(place.root, ".git/HEAD")),
	},
	{
		name: "delete git's folder",
		command: () => "rm -rf .git",
		holds: (end, place) => failed(end) && existsSync(join(place.root, ".git/HEAD")),
	},
	{
		name: "change a nested repository",
		command: () => "echo x >> pkg/a/nested/.git/config",
		holds: keeps("ws/pkg/a/nested/.git/config", "[core]\n"),
	},
	{
		name: "change the repository of a worktree",
		command: () => "echo x >> gitdirs/tree/config",
		holds: keeps("ws/gitdirs/tree/config", "[core]\n"),
	},
	{
		name: "change what worktrees share",
		command: () => "echo x >> gitdirs/common/config",
		holds: keeps("ws/gitdirs/common/config", "[core]\n"),
	},
	{
		name: "point a worktree elsewhere",
		command: () => "echo gitdir: /x > tree/.git",
		holds: keeps("ws/tree/.git", "gitdir: ../gitdirs/tree\n"),
	},
	{
		name: "swap a nested repository by moving its folder",
		command: () => "mv moved m2 && mkdir -p moved/.git && echo evil > moved/.git/config",
		holds: (end, place) => (end.takenAway ?? []).length === 1 && !existsSync(join(place.root, "moved/.git")),
	},
	{
		name: "make a repository",
		command: () => "mkdir -p made/.git && echo evil > made/.git/config",
		holds: (end, place) =>
			/made\/\.git/.test((end.takenAway ?? []).join()) && !existsSync(join(place.root, "made/.git")),
	},
	{
		name: "make settings of another agent",
		command: () => "echo {} > .mcp.json",
		holds: (end, place) => (end.takenAway ?? []).length === 1 && !existsSync(join(place.root, ".mcp.json")),
	},
	{
		name: "change agi's rules",
		command: () => "echo x >> .agent/rules.md",
		holds: keeps("ws/.agent/rules.md", "rules\n"),
	},
	{
		name: "change an editor's tasks",
		command: () => "echo x > .vscode/tasks.json",
		holds: keeps("ws/.vscode/tasks.json", "{}\n"),
	},
	{
		name: "change what the shell runs",
		command: () => "echo x >> .envrc; echo x >> .bashrc",
		holds: keeps("ws/.envrc", "export A=1\n"),
	},
	{ name: "read agi's logs", command: () => "cat .agent/logs/agent.jsonl", holds: hides("LOG-CANARY") },
	{
		name: "read an ssh key",
		command: ({ home }) => `cat ${home}/.ssh/id_ed25519`,
		holds: hides("KEY-CANARY"),
	},
	{
		name: "read cloud credentials",
		command: ({ home }) => `cat ${home}/.aws/credentials`,
		holds: hides("AWS-CANARY"),
	},
	{
		name: "read a history",
		command: ({ home }) => `cat ${home}/.bash_history ${home}/.npmrc`,
		holds: (end) => end.exitCode === 0 && end.output === "",
	},
	{
		name: "read agi's credentials",
		command: ({ config }) => `cat ${config}/credentials.json`,
		holds: hides("LOGIN-CANARY"),
	},
	{
		name: "read sessions",
		command: ({ data }) => `cat ${data}/projects/p/log.jsonl; ls -A ${data} | sed s/^/entry:/`,
		holds: (end) => end.startError === undefined && !/SESSION-CANARY|entry:/.test(end.output),
	},
	{
		name: "remount the disk writable",
		command: () => "mount -o remount,rw,bind / ; echo x > /etc/agi-probe-2",
		holds: (end) => failed(end) && !existsSync("/etc/agi-probe-2"),
	},
	{ name: "mount over a folder", command: () => "mkdir -p m && mount -t tmpfs none m", holds: failed },
	{
		name: "keep a capability",
		command: () => "grep -E '^Cap(Eff|Prm|Bnd|Amb):[[:space:]]*0*[1-9a-f]' /proc/self/status",
		holds: (end) => failed(end) && end.output === "",
	},
	{ name: "make a user namespace", command: () => "unshare -Ur true", holds: failed },
	{
		name: "set the kernel's core pattern",
		command: () => ": >> /proc/sys/kernel/core_pattern",
		holds: failed,
	},
	{
		name: "open what the kernel takes orders from",
		command: () =>
			"for f in /proc/sysrq-trigger /proc/irq/default_smp_affinity /proc/acpi/wakeup; do if (: >> $f) 2>/dev/null; then exit 0; fi; done; exit 1",
		holds: failed,
	},
	{
		name: "reach a port of this machine",
		command: ({ port }) => connect("AF_INET", `("127.0.0.1",${port})`),
		holds: noConnection,
	},
	{ name: "reach a unix socket", command: () => connect("AF_UNIX", `"socket"`), holds: noConnection },
	{
		name: "reach an abstract unix socket",
		command: ({ abstract }) => connect("AF_UNIX", `"\\0${abstract}"`),
		holds: noConnection,
	},
	{
		name: "reach another machine",
		command: () => connect("AF_INET", `("192.0.2.1",80)`),
		holds: (end) => failed(end) && /unreachable/i.test(end.output),
	},
	{
		name: "see or signal a process outside",
		command: () => `ls -d /proc/${process.pid} || kill -0 ${process.pid}`,
		holds: failed,
	},
	{ name: "trace a process", command: () => syscall(nr(101, 117), 0, 0, 0, 0), holds: refusedCall },
	{ name: "use an io_uring", command: () => syscall(425, 1, 0), holds: refusedCall },
	{ name: "use the keyring", command: () => syscall(nr(250, 219), 0, -3, 0), holds: refusedCall },
	{
		name: "load a program into the kernel",
		command: () => syscall(nr(321, 280), 0, 0, 0),
		holds: refusedCall,
	},
	{ name: "open a vsock", command: () => syscall(nr(41, 198), 40, 1, 0), holds: refusedCall },
	{
		name: "leave a process behind",
		command: () => "setsid sh -c 'sleep 1; echo late > late.txt' > /dev/null 2>&1 & echo left",
		holds: (end, place) => end.treeEnded && !existsSync(join(place.root, "late.txt")),
	},
];

/** What must work all the same. */
export const WORKS: readonly Probe[] = [
	{
		name: "write in the workspace",
		command: () => "echo new > file2.txt && mkdir d && mv file2.txt d/",
		holds: (end, place) => end.exitCode === 0 && read(place, "ws/d/file2.txt") === "new\n",
	},
	{
		name: "write into its own temp folder",
		command: () => "echo x > /tmp/t && mktemp && cat /tmp/t && ls /tmp | grep -cE '^t(mp\\.|$)'",
		holds: (end) => end.exitCode === 0 && /x\n2$/.test(end.output.trim()),
	},
	{
		name: "read git's folder",
		command: () => "cat .git/HEAD",
		holds: (end) => end.output.includes("refs/heads/main"),
	},
	{
		name: "talk to itself",
		command: () =>
			python(
				`import socket\na=socket.socket()\na.bind(("127.0.0.1",0))\na.listen(1)\nb=socket.create_connection(a.getsockname())\nc,d=socket.socketpair()\nc.send(b"x")\nprint("TALKED",d.recv(1))`,
			),
		holds: (end) => end.output.includes("TALKED"),
	},
	{
		name: "start threads and processes",
		command: () =>
			python(
				`import threading,subprocess\nt=threading.Thread(target=lambda:print(subprocess.check_output(["echo","CHILD"])))\nt.start()\nt.join()`,
			),
		holds: (end) => end.output.includes("CHILD"),
	},
	{
		name: "have no secret in its environment",
		command: () => "env",
		holds: (end) => end.exitCode === 0 && !/PROBE_TOKEN|SSH_AUTH_SOCK|XDG_RUNTIME_DIR/.test(end.output),
	},
	{ name: "say its exit code", command: () => "exit 7", holds: (end) => end.exitCode === 7 },
];

/** What must fail in a folder that is not trusted. */
export const UNTRUSTED: readonly Probe[] = [
	{
		name: "write in the workspace",
		command: () => "echo x > file.txt",
		holds: keeps("ws/file.txt", "old\n"),
	},
	{ name: "make a protected file", command: () => "echo x > .mcp.json", holds: absent("ws/.mcp.json") },
	{
		name: "delete in the workspace",
		command: () => "rm -rf pkg",
		holds: (end, place) => failed(end) && readdirSync(join(place.root, "pkg")).length > 0,
	},
];

// The filter's bytes, and its verdicts as a small interpreter of classic BPF reads them.

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { seccompFilter } from "../../../src/adapters/sandbox/seccomp.ts";

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const KILL = 0x80000000;
const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/** Runs the program over one system call, as the kernel does (Documentation/networking/filter.rst). */
function verdict(filter: Uint8Array, audit: number, number: number, argument = 0): number {
	const view = new DataView(filter.buffer);
	const words: Record<number, number> = { 0: number, 4: audit, 16: argument };
	let accumulator = 0;
	for (let at = 0; ; at++) {
		const [code, ifTrue, ifFalse] = [
			view.getUint16(at * 8, true),
			view.getUint8(at * 8 + 2),
			view.getUint8(at * 8 + 3),
		];
		const value = view.getUint32(at * 8 + 4, true);
		if (code === 0x20) accumulator = words[value]! >>> 0;
		else if (code === 0x06) return value;
		else if (code === 0x15) at += accumulator === value ? ifTrue : ifFalse;
		else if (code === 0x35) at += accumulator >= value ? ifTrue : ifFalse;
		else if (code === 0x45) at += (accumulator & value) !== 0 ? ifTrue : ifFalse;
		else throw new Error(`unknown instruction ${code}`);
	}
}

describe("seccompFilter", () => {
	it.each(["x64", "arm64"])("has the same bytes for %s as ever", (arch) => {
		const filter = seccompFilter(arch)!;
		expect([filter.length, createHash("sha256").update(filter).digest("hex")]).toMatchSnapshot();
	});

	it("knows no other machine", () => {
		expect(seccompFilter("ia32")).toBeUndefined();
		expect(seccompFilter("toString")).toBeUndefined();
	});

	it.each([
		[
			"x64",
			{ socket: 41, socketpair: 53, clone: 56, read: 0, execve: 59, ptrace: 101, mount: 165, unshare: 272 },
		],
		[
			"arm64",
			{
				socket: 198,
				socketpair: 199,
				clone: 220,
				read: 63,
				execve: 221,
				ptrace: 117,
				mount: 40,
				unshare: 97,
			},
		],
	] as const)("judges the calls of %s", (arch, call) => {
		const filter = seccompFilter(arch)!;
		const judge = (number: number, argument?: number) => verdict(filter, AUDIT[arch], number, argument);
		for (const number of [call.ptrace, call.mount, call.unshare, 425, 426, 427, 428, 442])
			expect(judge(number)).toBe(EPERM);
		for (const number of [call.read, call.execve, call.socketpair]) expect(judge(number, 1)).toBe(ALLOW);
		// unix and vsock; then internet, IPv6 and netlink
		for (const family of [1, 40]) expect(judge(call.socket, family)).toBe(EPERM);
		for (const family of [2, 10, 16]) expect(judge(call.socket, family)).toBe(ALLOW);
		// a thread, a user namespace
		expect(judge(call.clone, 0x003d0f00)).toBe(ALLOW);
		expect(judge(call.clone, 0x10000011)).toBe(EPERM);
		expect(judge(435)).toBe(ENOSYS);
	});

	it("kills calls of another architecture and refuses the x32 ones", () => {
		const filter = seccompFilter("x64")!;
		expect(verdict(filter, 0x40000003, 102)).toBe(KILL);
		expect(verdict(filter, AUDIT.x64, 0x40000000 + 41, 1)).toBe(EPERM);
	});
});

// The system-call filter of the bubblewrap sandbox, as the classic BPF bytes that `bwrap --seccomp` reads. Built here so
// that no native code is needed. It forbids what namespaces leave open: unix sockets of the host above all.

/** A kind of machine there is a filter for, as `process.arch` names it. */
export type SeccompArch = "x64" | "arm64";

// linux/bpf_common.h, linux/seccomp.h: instruction codes and verdicts.
const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER_EQUAL = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const FAIL_WITH = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;

// Offsets in struct seccomp_data; of an argument the low half, both machines being little-endian.
const NUMBER = 0;
const ARCH = 4;
const FIRST_ARGUMENT = 16;

const AF_UNIX = 1;
const AF_VSOCK = 40;
const CLONE_NEWUSER = 0x10000000;
/** Numbers from here on belong to the x32 ABI, which shares its architecture with x64. */
const X32_BIT = 0x40000000;

interface Machine {
	/** AUDIT_ARCH_* of linux/audit.h. */
	audit: number;
	socket: number;
	clone: number;
	/** Numbers that fail with EPERM. */
	forbidden: readonly number[];
}

/** Numbers that all machines share since Linux 5.1. */
const io_uring = [425, 426, 427];
const newMounts = [428, 429, 430, 431, 432, 433, 442, 467];
const CLONE3 = 435;

/** From the kernel's syscall tables. Order: ptrace, process_vm_readv/writev, mount, umount2, pivot_root, unshare, setns,
 * bpf, perf_event_open, add_key, request_key, keyctl, kexec_load, kexec_file_load. */
const MACHINES: Readonly<Record<SeccompArch, Machine>> = {
	x64: {
		audit: 0xc000003e,
		socket: 41,
		clone: 56,
		forbidden: [101, 310, 311, 165, 166, 155, 272, 308, 321, 298, 248, 249, 250, 246, 320],
	},
	arm64: {
		audit: 0xc00000b7,
		socket: 198,
		clone: 220,
		forbidden: [117, 270, 271, 40, 39, 41, 97, 268, 280, 241, 217, 218, 219, 104, 294],
	},
};

/** One instruction; the jumps count the instructions that are passed over. */
type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];

/** The filter for a machine; undefined where there is none. */
export function seccompFilter(arch: string): Uint8Array | undefined {
	if (!Object.hasOwn(MACHINES, arch)) return undefined;
	const machine = MACHINES[arch as SeccompArch];
	const fail = (errno: number): Instruction => [RETURN, 0, 0, FAIL_WITH | errno];
	return encode([
		[LOAD_WORD, 0, 0, ARCH],
		[JUMP_EQUAL, 1, 0, machine.audit],
		[RETURN, 0, 0, KILL_PROCESS],
		[LOAD_WORD, 0, 0, NUMBER],
		[JUMP_GREATER_EQUAL, 0, 1, X32_BIT],
		fail(EPERM),
		...[...machine.forbidden, ...io_uring, ...newMounts].flatMap((number): Instruction[] => [
			[JUMP_EQUAL, 0, 1, number],
			fail(EPERM),
		]),
		// Its flags lie in memory that a filter cannot read; without it the C library takes clone.
		[JUMP_EQUAL, 0, 1, CLONE3],
		fail(ENOSYS),
		[JUMP_EQUAL, 0, 3, machine.clone],
		[LOAD_WORD, 0, 0, FIRST_ARGUMENT],
		[JUMP_ANY_BIT, 5, 0, CLONE_NEWUSER],
		[RETURN, 0, 0, ALLOW],
		[JUMP_EQUAL, 0, 4, machine.socket],
		[LOAD_WORD, 0, 0, FIRST_ARGUMENT],
		[JUMP_EQUAL, 1, 0, AF_UNIX],
		[JUMP_EQUAL, 0, 1, AF_VSOCK],
		fail(EPERM),
		[RETURN, 0, 0, ALLOW],
	]);
}

/** As struct sock_filter: 16-bit code, two 8-bit jumps, 32-bit value, little-endian. */
function encode(program: readonly Instruction[]): Uint8Array {
	const bytes = new Uint8Array(program.length * 8);
	const view = new DataView(bytes.buffer);
	for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
		view.setUint16(index * 8, code, true);
		view.setUint8(index * 8 + 2, ifTrue);
		view.setUint8(index * 8 + 3, ifFalse);
		view.setUint32(index * 8 + 4, value, true);
	}
	return bytes;
}

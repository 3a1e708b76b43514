// A process that can die at any of its boundaries, without a process: writes, syncs and effects pass a point before and
// after they happen, and at the chosen one everything ends. Nothing that is dead reaches the disk any more.

import { type Disk, realDisk } from "../../src/adapters/sessionLog/logFile.ts";

export interface Mortal {
	/** Passes one boundary, or dies there. */
	point(): void;
	readonly isDead: boolean;
	/** Boundaries passed so far. */
	readonly passed: number;
	/** The disk of its log. */
	disk: Disk;
}

/** One that only the system can kill; its syncs are real. */
export function createRealLife(): Mortal {
	return { point: () => undefined, isDead: false, passed: 0, disk: realDisk };
}

/** The end of a mortal, as its own calls see it. */
export class Killed extends Error {}

/**
 * Dies at boundary `killAt`, counted from 1; never where it is 0. `tornBytes`: how much of a line a death before its
 * write leaves behind, as a share of its length.
 */
export function createMortal(killAt: number, tornShare = 0): Mortal {
	let passed = 0;
	let isDead = false;
	const assertAlive = () => {
		if (isDead) throw new Killed("it is dead");
	};
	const point = () => {
		assertAlive();
		passed++;
		if (passed !== killAt) return;
		isDead = true;
		throw new Killed(`killed at boundary ${passed}`);
	};
	return {
		point,
		get isDead() {
			return isDead;
		},
		get passed() {
			return passed;
		},
		disk: {
			write(fd, bytes) {
				try {
					point();
				} catch (error) {
					const torn = Math.floor(bytes.length * tornShare);
					if (torn > 0 && passed === killAt) realDisk.write(fd, bytes.subarray(0, torn));
					throw error;
				}
				const written = realDisk.write(fd, bytes);
				point();
				return written;
			},
			truncate(fd, size) {
				assertAlive();
				realDisk.truncate(fd, size);
			},
			async sync() {
				// What a real sync adds only a power cut shows; leaving it out makes thousands of deaths affordable.
				assertAlive();
				await Promise.resolve();
				point();
			},
		},
	};
}

// The checksum of a log line that is written. For the kilobytes of one line it is quick enough, and zlib's takes longer to
// load than all lines of a start to sum up; whole logs are read with zlib's.

/** Sums of single bytes, by the polynomial of zlib. */
const SUMS = Uint32Array.from({ length: 256 }, (_, byte) => {
	let sum = byte;
	for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
	return sum;
});

/** CRC32 (RFC 1952, 8) of some bytes, as an unsigned 32-bit number. */
export function crc32(bytes: Uint8Array): number {
	let sum = -1;
	for (const byte of bytes) sum = (sum >>> 8) ^ SUMS[(sum ^ byte) & 0xff]!;
	return ~sum >>> 0;
}

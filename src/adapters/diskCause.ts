// What a failed call of the file system means, in a person's words. Owns no sentence: who failed at what says that itself.

const CAUSES: Record<string, string> = {
	ENOSPC: "the disk is full",
	EDQUOT: "your disk quota is used up",
	EFBIG: "the file would pass the size limit",
	EIO: "the disk reported a read or write error",
	EROFS: "the disk is read-only",
	EACCES: "permission was denied",
	EPERM: "permission was denied",
	ENOTDIR: "a part of its path is not a folder",
	EEXIST: "something else stands in its place",
};

/** The cause, with the system's code where it is a known one; else the error's own message. */
export function diskCause(cause: unknown): string {
	const code = (cause as NodeJS.ErrnoException | undefined)?.code;
	const words = code === undefined ? undefined : CAUSES[code];
	if (words !== undefined) return `${words} (${code})`;
	return cause instanceof Error ? cause.message : String(cause);
}

// What a command in a sandbox may touch: its folders, what stays read-only in them, what it never sees, the network.
// Decides from facts alone; which paths exist comes in, and how a system enforces it is the adapters' matter.

/**
 * How well commands are confined. `full`: every forbidden act of the self-test failed. `partial`: commands are wrapped,
 * but not every act was stopped or could be tried. `none`: commands run with the person's rights. `checking`: not known
 * yet.
 */
export type SandboxLevel = "full" | "partial" | "none" | "checking";

/** A path that must look empty. */
export interface HiddenPath {
	path: string;
	kind: "file" | "folder";
}

/** What stands on this machine, all of it real absolute paths that exist. */
export interface SandboxFacts {
	/** The workspace folder first, then the added ones. */
	roots: readonly string[];
	/** Files and folders in the roots that steer programs. */
	protectedPaths: readonly string[];
	/** Those of `hiddenCandidates` that exist. */
	hidden: readonly HiddenPath[];
	/** Folders outside the roots that this one command needs to read. */
	shown: readonly string[];
}

/** What is granted to one command. */
export interface SandboxGrant {
	/** Whether the roots may be written; never in a folder that is not trusted. */
	writable: boolean;
	network: boolean;
}

/** The rights of one command. Whatever is not named can be read and not written. Later members beat earlier ones. */
export interface SandboxProfile extends SandboxGrant {
	/** Hidden paths outside the roots; a root may lie in one. */
	hidden: readonly HiddenPath[];
	/** Outer roots before those inside them. */
	roots: readonly string[];
	/** In writable roots. */
	readOnly: readonly string[];
	/** Hidden paths in the roots. */
	hiddenInRoots: readonly HiddenPath[];
	shown: readonly string[];
}

const HIDDEN_IN_HOME = [
	".ssh",
	".gnupg",
	".aws",
	".azure",
	".kube",
	".docker",
	".config/gh",
	".config/gcloud",
	".netrc",
	".npmrc",
	".pypirc",
	".git-credentials",
	".config/git/credentials",
	".pgpass",
	".cargo/credentials",
	".cargo/credentials.toml",
	".password-store",
	".local/share/keyrings",
	"Library/Keychains",
	// histories
	".bash_history",
	".zsh_history",
	".histfile",
	".python_history",
	".node_repl_history",
	".psql_history",
	".mysql_history",
	".sqlite_history",
	".rediscli_history",
	".irb_history",
	".lesshst",
	".local/share/fish/fish_history",
	// browsers and mail
	".mozilla",
	".thunderbird",
	".config/google-chrome",
	".config/chromium",
	".config/BraveSoftware",
	".config/microsoft-edge",
	"snap/firefox",
	"Library/Safari",
	"Library/Application Support/Firefox",
	"Library/Application Support/Google/Chrome",
	"Library/Application Support/BraveSoftware",
	"Library/Application Support/Microsoft Edge",
] as const;

/** Absolute paths that no command may read, whether they exist or not: secrets of the person and agi's own folders. */
export function hiddenCandidates(
	homes: readonly string[],
	agiFolders: readonly string[],
	roots: readonly string[],
): string[] {
	return [
		...homes.flatMap((home) => HIDDEN_IN_HOME.map((name) => `${home === "/" ? "" : home}/${name}`)),
		...agiFolders,
		...roots.map((root) => `${root}/.agent/logs`),
	];
}

/** The rights of a command under these facts. */
export function sandboxProfile(facts: SandboxFacts, grant: SandboxGrant): SandboxProfile {
	const roots = [...new Set(facts.roots)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
	const inRoots = (path: string) => roots.some((root) => isInside(path, root));
	// A person who works in such a folder has opened it.
	const hidden = outermost(facts.hidden.filter(({ path }) => !roots.includes(path)));
	const readOnly = grant.writable
		? [...new Set(facts.protectedPaths)].filter((path) => inRoots(path) && !roots.includes(path)).sort()
		: [];
	return {
		...grant,
		roots,
		hidden: hidden.filter(({ path }) => !inRoots(path)),
		readOnly: readOnly.filter((path) => !readOnly.some((other) => other !== path && isInside(path, other))),
		hiddenInRoots: hidden.filter(({ path }) => inRoots(path)),
		shown: facts.shown,
	};
}

/** Whether `path` is `folder` or lies in it. */
export function isInside(path: string, folder: string): boolean {
	return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function outermost(paths: readonly HiddenPath[]): HiddenPath[] {
	const sorted = [...paths].sort((a, b) => (a.path < b.path ? -1 : 1));
	return sorted.filter(
		({ path }, index) =>
			!sorted.some((other, at) => (other.path === path ? at < index : isInside(path, other.path))),
	);
}

// Names of files and folders that steer programs on this machine: whoever writes them runs code later, with the
// person's rights. Names only; nothing here looks at the disk.

/** In lower case. */
export const PROTECTED_NAMES: ReadonlySet<string> = new Set([
	".git",
	".agent",
	".agents",
	".claude",
	".codex",
	".gemini",
	".mcp.json",
	".vscode",
	".idea",
	".husky",
	".envrc",
	".bashrc",
	".bash_profile",
	".bash_login",
	".bash_logout",
	".bash_aliases",
	".profile",
	".zshrc",
	".zshenv",
	".zprofile",
	".zlogin",
	".zlogout",
	".kshrc",
	".cshrc",
	".tcshrc",
	".login",
	"config.fish",
]);

// Which names usually hold secrets, and whether a command names one. Judged by names alone, without letter case and
// without the spellings that file systems fold away; nothing here looks at the disk.

import type { Call } from "./commandWalk.ts";
import { matchesName } from "./namePattern.ts";
import { UNKNOWN } from "./places.ts";

const SECRET_FOLDERS = new Set([".ssh", ".gnupg", ".aws", ".azure", ".kube"]);

/** Two neighbouring names, as in `.docker/config.json`. */
const SECRET_PAIRS = new Set([".docker/config.json", ".config/gh", ".config/gcloud", ".cargo/credentials"]);

const SECRET_NAMES = [
	/^\.env(\.(?!(example|sample|template)$).*)?$/,
	/\.(pem|key|p12|pfx|jks|keystore)$/,
	/^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
	/^[._]netrc$/,
	/^\.(npmrc|pypirc|pgpass|htpasswd|git-credentials)$/,
	/^credentials.*\.(json|toml)$/,
];

/** Names that a pattern is tried on: a pattern that finds one of them names secrets. */
const EXAMPLES = [".env", ".env.local", ".netrc", ".npmrc", "id_rsa", "id_ed25519", "credentials.json"];

/** True where a path, given by its names, is a file that usually holds secrets or lies in a folder of such. */
export function isSecretPath(names: readonly string[]): boolean {
	const folded = names.map(foldName);
	const last = folded.at(-1) ?? "";
	return (
		SECRET_NAMES.some((pattern) => pattern.test(last)) ||
		folded.some(
			(name, index) => SECRET_FOLDERS.has(name) || SECRET_PAIRS.has(`${folded[index - 1] ?? ""}/${name}`),
		)
	);
}

/** Letter case, trailing dots and blanks (Windows), invisible characters (macOS) and `git~1` do not make another file. */
export function foldName(name: string): string {
	const plain = name
		.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "")
		.replace(/[. ]+$/, "")
		.toLowerCase();
	return plain === "git~1" ? ".git" : plain;
}

/** An option of a search with its pattern or script in the same word: what follows are files only. */
const HOLDS_PATTERN = /^(-[A-Za-z0-9]*[ef].|--(reg|exp|fi)[a-z]*=)/;

/** The words of a call that name such files; text that is only printed or searched for does not count. */
export function secretWords({ name, args, redirects }: Call): string[] {
	const texts = args.map(({ text }) => text);
	if (/^(echo|printf)$/.test(name)) texts.length = 0;
	if (/^(grep|egrep|fgrep|rg|sed|awk|gawk)$/.test(name) && !texts.some((text) => HOLDS_PATTERN.test(text))) {
		const pattern = texts.findIndex((text) => !text.startsWith("-"));
		if (pattern >= 0) texts.splice(pattern, 1);
	}
	return [...texts, ...redirects.map(({ target }) => target.text)].filter((text) =>
		namesOf(text).some(isNamed),
	);
}

/** What a word may name: itself, what follows `=`, `:` or `@`, and what is glued to a short option. */
function namesOf(word: string): string[] {
	if (word.length > 4_096) return [];
	const pieces = word.split(/[=:@,]/);
	return [word, ...pieces, ...(/^-[A-Za-z][^-]/.test(word) ? [word.slice(2)] : [])];
}

function isNamed(path: string): boolean {
	const names = path.split("/").filter((name) => name !== "" && !name.includes(UNKNOWN));
	if (isSecretPath(names)) return true;
	const last = names.at(-1) ?? "";
	const isPattern = /[*?]/.test(last) && last.replace(/[*?]/g, "").length > 0;
	return isPattern && EXAMPLES.some((example) => matchesName(last.toLowerCase(), example));
}

// Which names agi never writes unasked and which usually hold secrets. Judged by names alone, without letter case and
// without the spellings that file systems fold away; nothing here looks at the disk.

import { PROTECTED_NAMES } from "../../policy/protectedNames.ts";

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

/** True where one of the names of a path is a folder or file that agi never writes unasked. */
export function isProtectedPath(names: readonly string[]): boolean {
	return names.some((name) => PROTECTED_NAMES.has(fold(name)));
}

/** True where a path, given by its names, is a file that usually holds secrets or lies in a folder of such. */
export function isSecretPath(names: readonly string[]): boolean {
	const folded = names.map(fold);
	const last = folded.at(-1) ?? "";
	return (
		SECRET_NAMES.some((pattern) => pattern.test(last)) ||
		folded.some(
			(name, index) => SECRET_FOLDERS.has(name) || SECRET_PAIRS.has(`${folded[index - 1] ?? ""}/${name}`),
		)
	);
}

/** Letter case, trailing dots and blanks (Windows), invisible characters (macOS) and `git~1` do not make another file. */
function fold(name: string): string {
	const plain = name
		.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "")
		.replace(/[. ]+$/, "")
		.toLowerCase();
	return plain === "git~1" ? ".git" : plain;
}

// Which names agi never writes unasked. Judged by names alone, without letter case and
// without the spellings that file systems fold away; nothing here looks at the disk.

import { PROTECTED_NAMES } from "../../policy/protectedNames.ts";
import { foldName } from "../../policy/secretNames.ts";

/** True where one of the names of a path is a folder or file that agi never writes unasked. */
export function isProtectedPath(names: readonly string[]): boolean {
	return names.some((name) => PROTECTED_NAMES.has(foldName(name)));
}

// One name against a pattern of `*` and `?`: the one rule behind globs of paths, of commands' words and of secrets.

/** Whether `glob` covers all of `name`. Goes back to the last star alone, so that its time stays within their product. */
export function matchesName(glob: string, name: string): boolean {
	let [at, star, from] = [0, -1, 0];
	for (let index = 0; index < name.length; ) {
		if (glob[at] === "*") {
			star = at++;
			from = index;
		} else if (glob[at] === "?" || glob[at] === name[index]) {
			at++;
			index++;
		} else if (star >= 0) {
			at = star + 1;
			index = ++from;
		} else return false;
	}
	while (glob[at] === "*") at++;
	return at === glob.length;
}

// The one text of a plain value: what calls are compared by.

/** JSON that is equal for equal plain values, whatever the order of their keys. A member that is undefined is left out. */
export function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
	const members = Object.entries(value)
		.filter(([, member]) => member !== undefined)
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
	return `{${members.join(",")}}`;
}

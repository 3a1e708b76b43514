/** One line of CSV as fields. A field in double quotes may hold commas; "" inside it is one quote. */
export function parseLine(line: string): string[] {
	const fields: string[] = [];
	for (const [, quoted, plain = ""] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g))
		fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
	return fields;
}

/** One line of CSV as fields. A field in double quotes may hold commas; "" inside it is one quote. */
export function parseLine(line: string): string[] {
	return line.split(",");
}

// What a command writes to its standard output, as far as its text and input tell: plain text, text from the network,
// or nothing known.

import type { Field, Flow } from "./shellWords.ts";

const DOWNLOADERS = /^(curl|wget|aria2c|lynx|w3m|https?|xh|axel|fetch|nc|ncat|netcat)$/;

/** The output of `name` with `args`, `stdin` flowing in. */
export function commandOutput(name: string, args: Field[], stdin: Flow): Flow {
	const text = args.map((field) => field.text).join(" ");
	const fetched = args.some((field) => field.fetched || field.file?.fetched === true);
	if (name === "echo" || name === "printf") {
		const plain = text.replace(/^(-[neE]+ )+/, "").replace(/^(%s|%b)(\\n)? /, "");
		return { fetched, text: `${plain}\n` };
	}
	if (DOWNLOADERS.test(name)) return { fetched: true };
	if (name === "cat" && args.length === 1 && args[0]?.file) return args[0].file;
	if (name === "tee" || (name === "cat" && args.every((field) => field.text === "-"))) return stdin;
	if (name === "base64" && /^(-[dD]|--decode)$/.test(text)) return decodeBase64(stdin);
	return { fetched: fetched || stdin.fetched };
}

function decodeBase64(stdin: Flow): Flow {
	const letters = stdin.text?.replace(/[\s=]/g, "") ?? "";
	if (!/^[A-Za-z0-9+/]+$/.test(letters) || letters.length % 4 === 1) return { fetched: stdin.fetched };
	return { fetched: stdin.fetched, text: atob(letters) };
}

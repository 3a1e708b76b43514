// Takes secrets out of a text before it is stored, shown or sent: those known by value and those known by their form.
// Redacting twice changes nothing; a text without secrets comes back as it was.

/** Takes secrets out of a text. */
export type Redactor = (text: string) => string;

/** Shorter values are too likely to stand in a text by chance. */
const MIN_SECRET = 8;

/** A form of secret: texts without `hint` are not searched; `accepts` sorts out look-alikes. */
interface SecretForm {
	kind: string;
	hint: string;
	pattern: RegExp;
	accepts?(hit: string): boolean;
}

const FORMS: SecretForm[] = [
	{ kind: "GitHub token", hint: "github_pat_", pattern: /github_pat_[A-Za-z0-9_]{22,}/g },
	{ kind: "GitHub token", hint: "gh", pattern: /gh[a-z]_[A-Za-z0-9]{20,}/g },
	{ kind: "API key", hint: "sk-", pattern: /(?<![\w-])sk-[\w-]{16,}/g, accepts: looksRandom },
	{ kind: "AWS key", hint: "AKIA", pattern: /(?<![A-Z0-9])AKIA[A-Z0-9]{16,}/g },
	{ kind: "Google key", hint: "AIza", pattern: /AIza[\w-]{35,}/g },
	{ kind: "Slack token", hint: "xox", pattern: /(?<![\w-])xox[a-z]-[A-Za-z0-9-]{10,}/g },
	{
		kind: "JWT",
		hint: "eyJ",
		pattern: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g,
	},
];

const MARK = /\[redacted: [A-Za-z ]+\]/;
const ALL_MARKS = ["secret", "private key", "password", ...FORMS.map((form) => form.kind)]
	.map(mark)
	.join(" ");

/** Makes a redactor that also knows `secrets` by value; values of fewer than 8 characters are left out. */
export function createRedactor(secrets: readonly string[]): Redactor {
	const needles = [...new Set(secrets.flatMap(spellings))]
		.filter((needle) => needle.length >= MIN_SECRET && !ALL_MARKS.includes(needle))
		.sort((a, b) => b.length - a.length);
	return (text) => {
		let [before, after] = ["", text];
		// What stands next to a mark can only now be a secret of its own; each round leaves less to take out.
		while (after !== before) [before, after] = [after, redactOnce(after, needles)];
		return after;
	};
}

/** Whether a secret was taken out of this text. */
export function isRedacted(text: string): boolean {
	return MARK.test(text);
}

/** How many secrets were taken out of this text. */
export function countMarks(text: string): number {
	return text.match(new RegExp(MARK, "g"))?.length ?? 0;
}

/** `value`, plain JSON, with every text in it redacted, keys too. */
export function redactValue<T>(value: T, redact: Redactor): T {
	return redactUnknown(value, redact) as T;
}

function redactUnknown(value: unknown, redact: Redactor): unknown {
	if (typeof value === "string") return redact(value);
	if (Array.isArray(value)) return value.map((item) => redactUnknown(item, redact));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, member]) => [redact(key), redactUnknown(member, redact)]),
	);
}

function mark(kind: string): string {
	return `[redacted: ${kind}]`;
}

/** One round over what stands between the marks. */
function redactOnce(text: string, needles: readonly string[]): string {
	if (!text.includes("[redacted: ")) return redactPlain(text, needles);
	const marks = text.match(new RegExp(MARK, "g")) ?? [];
	return text
		.split(MARK)
		.map((piece, index) => redactPlain(piece, needles) + (marks[index] ?? ""))
		.join("");
}

function redactPlain(text: string, needles: readonly string[]): string {
	let rest = text;
	for (const needle of needles) if (rest.includes(needle)) rest = rest.replaceAll(needle, mark("secret"));
	if (rest.includes("-----BEGIN ")) rest = redactPem(rest);
	for (const { kind, hint, pattern, accepts } of FORMS) {
		if (rest.includes(hint))
			rest = rest.replace(pattern, (hit) => ((accepts?.(hit) ?? true) ? mark(kind) : hit));
	}
	return rest.includes("://") ? redactUserinfo(rest) : rest;
}

/** Whether what follows `sk-` is drawn by chance: a long unbroken run that mixes letters and digits. */
function looksRandom(key: string): boolean {
	return key.split(/[-_]/).some((run) => run.length >= 16 && /\d/.test(run) && /[A-Za-z]/.test(run));
}

/** Passwords in `scheme://user:password@host`; placeholders such as `${PASSWORD}` stay. */
function redactUserinfo(text: string): string {
	return text.replace(/:\/\/([^\s/?#@:"'`<>]*):([^\s/?#"'`<>]+)@/g, (hit, user: string, password: string) =>
		/^(\$\{[^}]*\}|\$[A-Z_]+|\{+[^}]*\}+|\*+)$/.test(password) ? hit : `://${user}:${mark("password")}@`,
	);
}

const PEM_END = /-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/g;
const MAX_PEM = 20_000;

/** Private keys, whole blocks and the lines of one whose end is cut off. */
function redactPem(text: string): string {
	let done = "";
	let from = 0;
	for (const begin of text.matchAll(/-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/g)) {
		if (begin.index < from) continue;
		const bodyStart = begin.index + begin[0].length;
		const block = text.slice(bodyStart, bodyStart + MAX_PEM);
		const length = pemLength(block);
		if (length === 0) continue;
		done += text.slice(from, begin.index) + mark("private key");
		from = bodyStart + length;
	}
	return done + text.slice(from);
}

/** How much of what follows the first line belongs to the key; 0 where no key follows, as in code that names the line. */
function pemLength(block: string): number {
	PEM_END.lastIndex = 0;
	const end = PEM_END.exec(block);
	if (end && /[A-Za-z0-9+/=]{32}/.test(block.slice(0, end.index))) return end.index + end[0].length;
	return /^(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{16,})+/.exec(block)?.[0].length ?? 0;
}

/** A secret as it may stand in texts: as it is, in JSON, in a URL, and within base64 at each of its three offsets. */
function spellings(secret: string): string[] {
	if (secret.length < MIN_SECRET) return [];
	const wellFormed = secret.toWellFormed();
	const encoded = encodeURIComponent(wellFormed);
	const bytes = new TextEncoder().encode(wellFormed);
	const base64 = [0, 1, 2].map((offset) => base64Core(bytes, offset));
	return [
		secret,
		JSON.stringify(secret).slice(1, -1),
		encoded,
		encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
		encoded.replaceAll("%20", "+"),
		...base64,
		...base64.map((core) => core.replaceAll("+", "-").replaceAll("/", "_")),
	];
}

/** The letters of base64 that depend on `bytes` alone when `offset` other bytes stand before them. */
function base64Core(bytes: Uint8Array, offset: number): string {
	const padded = String.fromCharCode(...new Uint8Array(offset), ...bytes);
	const first = Math.ceil((offset * 8) / 6);
	return btoa(padded).slice(first, Math.floor((padded.length * 8) / 6));
}

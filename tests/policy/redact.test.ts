import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, redactValue } from "../../src/policy/redact.ts";

const plain = createRedactor([]);
const random = "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb7d";
const pemBody = `${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n".repeat(3)}`;
/** Built from parts, so that no scanner takes this file for a leak. */
const pem = (kind: string, body = pemBody) => `-----BEGIN ${kind}-----\n${body}-----END ${kind}-----`;

describe("createRedactor", () => {
	it.each([
		["GitHub token", `gh${"p"}_${random}`],
		["GitHub token", `gh${"s"}_${random}`],
		["GitHub token", `github_${"pat"}_${random}`],
		["API key", `sk-${random}`],
		["API key", `sk-proj-${random}_x-${random}`],
		["API key", `sk-ant-api03-${random}`],
		["AWS key", `AKIA${"ABCDEFGH12345678"}`],
		["Google key", `AIza${random}`],
		["Slack token", `xox${"b"}-1234567890-abcdef`],
		["JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.c2lnbmF0dXJl"],
		["private key", pem("RSA PRIVATE KEY")],
		["private key", pem("PRIVATE KEY").replaceAll("\n", "\\n")],
		["private key", pem("PGP PRIVATE KEY BLOCK")],
	])("takes out a %s by its form", (kind, secret) => {
		expect(plain(`before ${secret} after`)).toBe(`before [redacted: ${kind}] after`);
		expect(plain(`key="${secret}"`)).toBe(`key="[redacted: ${kind}]"`);
	});

	it("takes out the lines of a private key whose end is cut off", () => {
		expect(plain(`-----BEGIN PRIVATE KEY-----\n${pemBody}... [9 lines truncated] ...`)).toBe(
			"[redacted: private key]\n... [9 lines truncated] ...",
		);
	});

	it.each([
		["postgres://ann:hunter2@db/x", "postgres://ann:[redacted: password]@db/x"],
		["https://:t0ken@host/", "https://:[redacted: password]@host/"],
		["redis://u:p@ss:w@host:1", "redis://u:[redacted: password]@host:1"],
		["'amqp://a:b@c','amqp://d:e@f'", "'amqp://a:[redacted: password]@c','amqp://d:[redacted: password]@f'"],
	])("takes the password out of %s", (text, expected) => {
		expect(plain(text)).toBe(expected);
	});

	it.each([
		"task-management-and-more-words risk-assessment-of-2024-projects",
		"sk-learn-compatible-estimators sk-toggleable__content disk-0123456789abcdef0123",
		"const re = /-----BEGIN PRIVATE KEY-----/; // -----END PRIVATE KEY-----",
		"-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----",
		"postgres://ann:$" + "{DB_PASSWORD}@db/x http://host:8080/a@b ssh://git@host/x user@host:path",
		"ghost_writer gh_x AKIABLE AIza eyJ xoxo-hugs [redacted: secret]",
	])("leaves %j as it is", (text) => {
		expect(plain(text)).toBe(text);
	});

	it("takes out a known value as it is and as other formats write it", () => {
		const secret = 'pä ss/wo+rd"1';
		const redact = createRedactor([secret]);
		for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
			expect(redact(`<${form}>`)).toBe("<[redacted: secret]>");
		}
		for (const before of ["", "u", "us", "user:"]) {
			for (const encoding of ["base64", "base64url"] as const) {
				const encoded = Buffer.from(`${before}${secret}`).toString(encoding);
				expect(redact(`Basic ${encoded}`)).toContain("[redacted: secret]");
			}
		}
	});

	it("takes out the longer of two known values where one holds the other", () => {
		expect(createRedactor(["sk-test-A", "sk-test-ABC"])("sk-test-ABC")).toBe("[redacted: secret]");
	});

	it("leaves values of fewer than eight characters, which texts hold by chance", () => {
		expect(createRedactor(["", "short"])("a short text")).toBe("a short text");
	});

	it("keeps its own marks whatever the known values are", () => {
		const redact = createRedactor(["redacted", "password"]);
		expect(redact("[redacted: password] x")).toBe("[redacted: password] x");
	});

	it("changes nothing the second time, whatever the text and the values", () => {
		const piece = fc.oneof(
			fc.constantFrom(
				"sk-",
				"gh",
				"p_",
				"AKIA",
				"AIza",
				"eyJ",
				"xoxb-",
				"://",
				"a:b@",
				"[redacted: ",
				"secret]",
			),
			fc.constantFrom(
				"-----BEGIN PRIVATE KEY-----",
				"-----END PRIVATE KEY-----",
				"A".repeat(20),
				"b1".repeat(20),
			),
			fc.string({ maxLength: 6 }),
		);
		const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
		fc.assert(
			fc.property(
				text,
				fc.array(fc.string({ minLength: 8, maxLength: 12 }), { maxLength: 3 }),
				(words, secrets) => {
					const redact = createRedactor(secrets);
					const once = redact(words);
					expect(redact(once)).toBe(once);
				},
			),
			{ numRuns: 1_000 },
		);
	});

	it("leaves no known value in any text", () => {
		const secret = fc.stringMatching(/^[a-z0-9]{12,20}$/);
		fc.assert(
			fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
				expect(createRedactor([value])(`${before}${value}${after}`)).not.toContain(value);
			}),
		);
	});

	it.each([
		["sk-", "sk-"],
		["-eyJabcdefgh", "JWT heads"],
		["eyJabcdefgh.", "JWT parts"],
		["://a:", "user names"],
		["-----BEGIN PRIVATE KEY-----", "key heads"],
		["AKIA", "AWS heads"],
	])("ends on a large text of %j again and again", (piece) => {
		const text = piece.repeat(Math.ceil(50_000 / piece.length));
		expect(plain(plain(text))).toBe(plain(text));
	});
});

describe("redactValue", () => {
	it("redacts texts and keys at any depth and leaves the rest", () => {
		const redact = createRedactor(["topsecret"]);
		const value = { a: ["topsecret", 1, null], b: { "x-topsecret": true }, c: "plain" };
		expect(redactValue<unknown>(value, redact)).toEqual({
			a: ["[redacted: secret]", 1, null],
			b: { "x-[redacted: secret]": true },
			c: "plain",
		});
		expect(value.a[0]).toBe("topsecret");
	});
});

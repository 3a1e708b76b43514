import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBaseUrl } from "../../src/settings/baseUrl.ts";
import { ollamaBaseUrl, withOllamaHost } from "../../src/settings/ollamaHost.ts";

describe("ollamaBaseUrl", () => {
	it.each([
		["box", "http://box:11434/v1"],
		["box:5000", "http://box:5000/v1"],
		[":5000", "http://localhost:5000/v1"],
		["0.0.0.0", "http://localhost:11434/v1"],
		["0.0.0.0:5000", "http://localhost:5000/v1"],
		["[::]:5000", "http://localhost:5000/v1"],
		["::1", "http://[::1]:11434/v1"],
		["[::1]:5000", "http://[::1]:5000/v1"],
		["http://box", "http://box/v1"],
		["http://box:5000/", "http://box:5000/v1"],
		["http://0.0.0.0:5000", "http://localhost:5000/v1"],
		["http://box:5000/ollama/", "http://box:5000/ollama/v1"],
		["http://box:5000/v1", "http://box:5000/v1"],
		["https://ollama.example.org", "https://ollama.example.org/v1"],
		[' "box:5000" ', "http://box:5000/v1"],
	])("reads %s as %s", (value, baseUrl) => {
		expect(ollamaBaseUrl(value)).toBe(baseUrl);
	});

	it.each([
		"user:pw@box",
		"http://user:pw@box",
		"box:99999",
		"box:port",
		"ftp://box",
		"a b",
		"box?x=1",
		"box#x",
	])("takes %s for no address", (value) => {
		expect(ollamaBaseUrl(value)).toBeUndefined();
	});

	it("gives a base URL or nothing, whatever the value", () => {
		const value = fc.oneof(
			fc.string(),
			fc.webUrl(),
			fc.string({ unit: fc.constantFrom(":", "/", "[", "]", "1", "a") }),
		);
		fc.assert(
			fc.property(value, (text) => {
				const baseUrl = ollamaBaseUrl(text);
				expect(baseUrl === undefined || isBaseUrl(baseUrl)).toBe(true);
			}),
		);
	});
});

describe("withOllamaHost", () => {
	const profiles = [
		{ name: "ollama", baseUrl: "http://localhost:11434/v1", local: true },
		{ name: "vllm", baseUrl: "http://localhost:8000/v1", local: true },
	];
	const addresses = (OLLAMA_HOST?: string) =>
		withOllamaHost(profiles, { OLLAMA_HOST }).map(({ baseUrl, local }) => [baseUrl, local]);

	it("moves that one profile, and tells whether it is still on this machine or network", () => {
		const [, other] = addresses();
		expect(addresses("10.0.0.2:5000")).toEqual([["http://10.0.0.2:5000/v1", true], other]);
		expect(addresses("https://ollama.example.org")).toEqual([
			["https://ollama.example.org/v1", false],
			other,
		]);
	});

	it("changes nothing where the variable is not set, empty or wrong", () => {
		for (const value of [undefined, "", " ", "a b"])
			expect(withOllamaHost(profiles, { OLLAMA_HOST: value })).toEqual(profiles);
	});
});

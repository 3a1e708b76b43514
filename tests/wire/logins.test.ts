import { describe, expect, it } from "vitest";
import { openLogins } from "../../src/wire/logins.ts";

describe("openLogins", () => {
	it("offers Ollama at the address of OLLAMA_HOST", () => {
		const logins = openLogins("/nowhere", { OLLAMA_HOST: ":5000" });
		expect(logins.profiles().find(({ name }) => name === "ollama")?.baseUrl).toBe("http://localhost:5000/v1");
	});
});

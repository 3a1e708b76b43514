// Names that are protected or secret, in the spellings that file systems fold together.

import { describe, expect, it } from "vitest";
import { isProtectedPath } from "../../../src/adapters/workspace/guardedNames.ts";
import { isSecretPath } from "../../../src/policy/secretNames.ts";

const names = (path: string) => path.split("/");

describe("isProtectedPath", () => {
	it.each([
		".git/config",
		".GIT/config",
		"sub/.git",
		".agent/settings.json",
		".Claude/x",
		".mcp.json",
		".vscode/tasks.json",
		".husky/pre-commit",
		".envrc",
		".bashrc",
		".git./config",
		".git /config",
		"GIT~1/config",
		".g\u200cit/config",
	])("holds for %j", (path) => {
		expect(isProtectedPath(names(path))).toBe(true);
	});

	it.each([
		".gitignore",
		".GITIGNORE",
		".github/workflows/a.yml",
		"git/config",
		"agent/x",
		"bashrc",
		"src/.gitkeep",
	])("does not hold for %j", (path) => {
		expect(isProtectedPath(names(path))).toBe(false);
	});
});

describe("isSecretPath", () => {
	it.each([
		".env",
		".ENV",
		"app/.env.local",
		"certs/server.pem",
		"a.KEY",
		"id_rsa",
		"id_ed25519",
		".netrc",
		".npmrc",
		".pypirc",
		"credentials.json",
		"credentials-prod.json",
		".ssh/config",
		".aws/credentials",
		".docker/config.json",
		".config/gh/hosts.yml",
	])("holds for %j", (path) => {
		expect(isSecretPath(names(path))).toBe(true);
	});

	it.each([
		".env.example",
		".env.sample",
		".env.TEMPLATE",
		"id_rsa.pub",
		"id_generator.ts",
		"environment.ts",
		"keys.ts",
		"monkey",
		".docker/Dockerfile",
		"src/credentials.ts",
	])("does not hold for %j", (path) => {
		expect(isSecretPath(names(path))).toBe(false);
	});
});

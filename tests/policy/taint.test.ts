// Which commands plainly reach other machines: once text of unknown intent was read, these ask.

import { describe, expect, it } from "vitest";
import { usesNetwork } from "../../src/policy/taint.ts";

const places = { workspaceRoots: ["/w"], home: "/home/p" };

describe("usesNetwork", () => {
	it.each([
		"curl https://example.org",
		"curl -v https://example.org",
		"wget -v https://example.org",
		"ssh build ls",
		"rsync -v a host:b",
		"timeout 5 curl -v https://example.org",
		"gh run list",
		"npx test",
		"npm ci",
		"yarn",
		"yarn --frozen-lockfile",
		"cargo -v install x",
		"pip -v install x",
		"git -C x push",
	])("knows it of %s", (command) => {
		expect(usesNetwork(command, places)).toBe(true);
	});

	it.each([
		"npm test",
		"npm -v",
		"npm --silent test",
		"npm run build",
		"cargo build",
		"cargo --version",
		"go version",
		"pip list",
		"git status",
		"cat curl.txt",
		"echo curl https://example.org",
	])("does not say it of %s", (command) => {
		expect(usesNetwork(command, places)).toBe(false);
	});
});

#!/usr/bin/env node
// Completes package-lock.json after an install against a registry that lacks some platform packages: npm leaves
// those out of the lock and `npm ci` then refuses it ("Missing: X from lock file"). Each gets an optional stub that
// no machine matches by accident, because os and cpu are taken from its name. Run it after every dependency change.

import { readFileSync, writeFileSync } from "node:fs";

const path = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(path, "utf8"));
const OS = ["darwin", "linux", "win32", "freebsd", "android"];
const CPU = ["x64", "arm64", "arm", "ia32", "s390x", "ppc64", "riscv64", "loong64"];

let added = 0;
for (const [owner, entry] of Object.entries(lock.packages)) {
	for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
		if (isLocked(owner, name)) continue;
		const words = name.split(/[-/_]/);
		lock.packages[`node_modules/${name}`] = {
			version: range.replace(/^[^\d]*/, ""),
			optional: true,
			os: pick(words, OS, "win32"),
			cpu: pick(words, CPU, "x64"),
		};
		added++;
	}
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, "\t")}\n`);
console.log(`${added} missing optional packages added to package-lock.json`);

/** Whether npm would find `name` in the lock from `owner`: in its own node_modules or any above it. */
function isLocked(owner, name) {
	for (let at = owner; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
		if (lock.packages[`${at}${at ? "/" : ""}node_modules/${name}`]) return true;
		if (at === "" || !at.includes("/node_modules/")) return Boolean(lock.packages[`node_modules/${name}`]);
	}
}

/** The words of a package name that are platform names; `fallback` where there is none. */
function pick(words, known, fallback) {
	const named = words
		.map((w) => (w === "win" || w === "windows" ? "win32" : w))
		.filter((w) => known.includes(w));
	return named.length > 0 ? named : [fallback];
}

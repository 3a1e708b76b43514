// The argument lists of the three sandboxes, word for word: their order is their meaning.

import { describe, expect, it } from "vitest";
import { createBubblewrap } from "../../../src/adapters/sandbox/bubblewrap.ts";
import { createDocker } from "../../../src/adapters/sandbox/docker.ts";
import { createSeatbelt } from "../../../src/adapters/sandbox/seatbelt.ts";
import { type SandboxProfile, sandboxProfile } from "../../../src/policy/sandboxProfile.ts";
import type { ConfinedLaunch } from "../../../src/ports/sandbox.ts";

const launch = {
	file: "/usr/bin/bash",
	args: ["-c", 'echo "$HOME"; rm -rf x'],
	cwd: "/home/ann/app/sub",
	env: {
		PATH: "/usr/bin",
		AGENT: "agi",
		DATABASE_URL: "postgres://ann@db",
		TMPDIR: "/home/ann/tmp",
		XDG_RUNTIME_DIR: "/run/user/1",
	},
};

function profile(over: Partial<SandboxProfile> = {}): SandboxProfile {
	const made = sandboxProfile(
		{
			roots: ["/home/ann/app"],
			protectedPaths: ["/home/ann/app/.git", "/home/ann/app/.envrc"],
			hidden: [
				{ path: "/home/ann/.ssh", kind: "folder" },
				{ path: "/home/ann/.npmrc", kind: "file" },
				{ path: "/home/ann/app/.agent/logs", kind: "folder" },
			],
			shown: ["/var/spool/agi-code-1"],
		},
		{ writable: true, network: false },
	);
	return { ...made, ...over };
}

const bwrap = {
	file: "/usr/bin/bwrap",
	version: [0, 8, 0],
	filter: new Uint8Array([1, 2, 3]),
	tempFolders: ["/tmp", "/run", "/var/tmp"],
	resolver: "/run/systemd/resolve/stub-resolv.conf",
};

/** The options that go through the descriptor of `--args`. */
function optionsOf(confined: ConfinedLaunch): string[] {
	const list = confined.fds[Number(confined.args[1]) - 3];
	if (typeof list !== "object") throw new Error("no list of options");
	return new TextDecoder().decode(list.bytes).split("\0").slice(0, -1);
}

describe("createBubblewrap", () => {
	const prepare = (over: Partial<SandboxProfile> = {}, version = bwrap.version) =>
		createBubblewrap({ ...bwrap, version }).prepare(launch, profile(over));

	it("wraps a command as an argument list, the environment on no command line", () => {
		const { file, args, env, fds } = prepare();
		expect({ file, args, env }).toEqual({
			file: "/usr/bin/bwrap",
			args: ["--args", "6", "--", "/usr/bin/bash", "-c", 'echo "$HOME"; rm -rf x'],
			env: {},
		});
		expect(fds).toEqual([{ bytes: bwrap.filter }, "status", "empty", { bytes: expect.any(Uint8Array) }]);
	});

	it("gives its options in the order in which they cover one another", () => {
		expect(optionsOf(prepare()).join(" ").replaceAll(" --", "\n--")).toMatchSnapshot();
	});

	it("binds the workspace read-only where it may not be written", () => {
		const options = optionsOf(prepare({ writable: false, readOnly: [] })).join(" ");
		expect(options).toContain("--ro-bind /home/ann/app /home/ann/app");
		expect(options).not.toMatch(/ --bind /);
	});

	it("shares the network and how names are found where that is granted", () => {
		const options = optionsOf(prepare({ network: true })).join(" ");
		expect(options).toContain("--unshare-all --share-net --unshare-user");
		expect(options).toContain(`--ro-bind ${bwrap.resolver} ${bwrap.resolver}`);
		expect(optionsOf(prepare()).join(" ")).not.toMatch(/share-net|resolve/);
	});

	it.each([
		[[0, 7, 0], false],
		[[0, 8], true],
		[[0, 11, 0], true],
		[[1, 0], true],
	])("forbids user namespaces by option with bwrap %j: %j", (version, knows) => {
		expect(optionsOf(prepare({}, version)).includes("--disable-userns")).toBe(knows);
	});

	it("covers a hidden path in a temp folder by that alone", () => {
		const hidden = [{ path: "/tmp/home/.ssh", kind: "folder" }] as const;
		expect(optionsOf(prepare({ hidden })).join(" ")).not.toContain("/tmp/home");
	});
});

describe("createSeatbelt", () => {
	it("gives paths as parameters of the profile, never as text", () => {
		const confined = createSeatbelt("/private/tmp/scratch").prepare(launch, profile());
		expect(confined).toMatchSnapshot();
		expect(confined.args[1]).not.toContain("/home/ann");
	});

	it("allows the network and no writes in the workspace where the profile says so", () => {
		const { args } = createSeatbelt("/private/tmp/scratch").prepare(
			launch,
			profile({ network: true, writable: false, readOnly: [] }),
		);
		expect(args[1]).toContain("(allow network-outbound");
		expect(args[1]).toMatch(/\(allow file-write\* \(subpath \(param "P\d+"\)\)\)/);
	});
});

describe("createDocker", () => {
	const docker = {
		file: "/usr/bin/docker",
		image: "node:20-slim",
		user: "1000:1000",
		workspace: "/home/ann/app",
		name: () => "agi-1",
		env: { PATH: "/usr/bin" },
	};

	it("runs the command in a container with the workspace at /workspace and nothing else", () => {
		expect(createDocker(docker).prepare(launch, profile())).toMatchSnapshot();
	});

	it("names the program of the image, and the script where it stands inside", () => {
		const script = { ...launch, file: "/opt/node/bin/node", args: ["/var/spool/agi-code-1/script.js"] };
		const { args } = createDocker(docker).prepare(script, profile());
		expect(args.slice(-3)).toEqual(["node:20-slim", "node", "/var/spool/agi-code-1/script.js"]);
		const own = { ...launch, file: "/home/ann/app/run.sh", args: [] };
		expect(createDocker(docker).prepare(own, profile()).args.at(-1)).toBe("/workspace/run.sh");
	});

	it("quotes a path with a comma for the list of a mount", () => {
		const { args } = createDocker({ ...docker, workspace: "/a,b" }).prepare(
			{ ...launch, cwd: "/a,b" },
			profile({ roots: ["/a,b"], readOnly: [], hiddenInRoots: [], shown: [] }),
		);
		expect(args).toContain('type=bind,"source=/a,b",target=/workspace');
	});
});

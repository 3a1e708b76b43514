import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readGitBranch } from "../../src/adapters/gitBranch.ts";

function folder(): string {
	const path = realpathSync(mkdtempSync(join(tmpdir(), "agi-branch-")));
	onTestFinished(() => rmSync(path, { recursive: true, force: true }));
	return path;
}

function git(cwd: string, ...args: string[]): string {
	const env = { PATH: process.env["PATH"] ?? "", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
	const author = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
	return execFileSync("git", [...author, ...args], { cwd, env, encoding: "utf8", stdio: "pipe" });
}

function repository(): string {
	const root = join(folder(), "repo");
	mkdirSync(join(root, "sub", "deep"), { recursive: true });
	git(root, "init", "-q", "-b", "feature/one");
	return root;
}

describe("readGitBranch", () => {
	it("tells the branch of the repository above, before the first commit too", () => {
		const root = repository();
		expect(readGitBranch(root)).toBe("feature/one");
		expect(readGitBranch(join(root, "sub", "deep"))).toBe("feature/one");
	});

	it("tells the commit where no branch is checked out", () => {
		const root = repository();
		git(root, "commit", "-q", "--allow-empty", "-m", "a");
		git(root, "checkout", "-q", "--detach");
		expect(readGitBranch(root)).toBe(git(root, "rev-parse", "HEAD").slice(0, 7));
	});

	it("follows the file that stands for .git in a worktree", () => {
		const root = repository();
		git(root, "commit", "-q", "--allow-empty", "-m", "a");
		const tree = join(root, "..", "tree");
		git(root, "worktree", "add", "-q", "-b", "other", tree);
		expect(readGitBranch(tree)).toBe("other");
	});

	it("is null outside of git and where .git holds nonsense", () => {
		const root = folder();
		expect(readGitBranch(root)).toBeNull();
		mkdirSync(join(root, ".git", "HEAD"), { recursive: true });
		expect(readGitBranch(root)).toBeNull();
	});

	it("does not wait for a pipe that stands for HEAD", () => {
		const root = folder();
		mkdirSync(join(root, ".git"));
		execFileSync("mkfifo", [join(root, ".git", "HEAD")]);
		expect(readGitBranch(root)).toBeNull();
	});
});

// Which commands run unasked because they only read, in which form, and what takes that from them.

import { describe, expect, it } from "vitest";
import type { NamedPath } from "../../src/policy/facts.ts";
import { judgeParts, onlyReads, pathWords } from "../../src/policy/judgeParts.ts";

/** As if every word had been looked up and lay inside, but for those that lead elsewhere. */
function named(command: string): NamedPath[] {
	return pathWords(command).map(({ word }) => ({
		word,
		real: word.startsWith("/") ? word : `/w/${word}`,
		inside: !word.startsWith("/") && !word.startsWith(".."),
		isSecret: word === ".env",
	}));
}

function isFree(command: string, isConfined = false): boolean {
	const judged = judgeParts(command, { rules: [], named: named(command), isConfined });
	return judged.kind === "plain" && judged.parts.every(({ allowedBy }) => allowedBy === "readOnly");
}

const FREE = `
pwd
ls
ls -la src
ls *.txt
ls 2>&1
ls >/dev/null
ls 2>&-
cat a.txt b.txt
head -n 5 a.txt
head -20 a.txt
tail -n 5 a.txt
wc -l src/a.ts
cut -d/ -f1 a.txt
cut -d , -f 2 a.txt
tr a-z A-Z
tr '[a-z]' '[A-Z]'
diff -u a.txt b.txt
stat a.txt
file -b a.txt
du -sh src
df -h
realpath a.txt
sha256sum a.txt
od -c a.txt
strings a.txt
grep x a.txt
grep -rn "a|b" src
grep '>' a.txt
grep -e x -e y a.txt
grep -A 3 x a.txt
grep -1e x a.txt
rg x
rg --files
rg -n -g '*.ts' x src
find . -name '*.ts'
find src -type f -newer a.txt
find . -maxdepth 2 -not -name x
fd x src
fd -s x src
fd -e ts -d 2 x src
sort a.txt
sort -t, -k 2 -n a.txt
sort -u a.txt | uniq -c | head
uniq a.txt
sed -n 5p a.txt
sed -n 5,9p a.txt
tree -L 2
echo 'rm -rf d'
echo hello world
echo *.txt
printf '%s\\n' x
basename a/b.txt
which node
whoami && id && uname -a
cd src
cd src && ls
cat a.txt | grep x | wc -l
cat a.txt || true`;

const ASKED = `
cat /etc/passwd
cat ../x
cat .env
cd
cd ..
cd -
cd src && cat a.txt
cd /etc && ls
tail -f a.txt
tail -F a.txt
wc --files0-from=a.txt
du --files0-from=a.txt
sort -o b.txt a.txt
sort -nob.txt a.txt
sort --output=b.txt a.txt
sort --outp=b.txt a.txt
sort --compress-program=./x a.txt
sort -T /tmp a.txt
sort --files0-from=a.txt
sort *
uniq a.txt b.txt
uniq src/*
find . -exec rm {} +
find . -execdir rm x
find . -ok rm x
find . -delete
find . -fprint x
find . -fls x
find -L . -name x
find *
fd x -x rm
fd -X rm x
fd --exec rm
fd -sx rm .
fd -s x /etc
rg --pre ./x y
rg -z x
rg --hostname-bin=./x y
rg -L x
rg --ignore-file=/etc/x y
grep -f a.txt b.txt
grep -R x .
grep -1e x /etc/passwd
echo /etc/*
printf '%s' ../*
tr [a-z] /etc/*
sed -n 'w f' a.txt
sed 1e a.txt
sed -i s/x/y/ a.txt
sed -n 5p -i a.txt
file -C
file -m a.txt b.txt
tree -o a.txt
strings @a.txt
printf -v x y
xxd a.txt b.txt
awk 1 a.txt
less a.txt
man ls
env
ps
jq . a.txt
tee a.txt
rm a.txt
touch a.txt
node -v
npm test
./ls
/bin/ls
xargs ls
time ls
command ls
ls; rm x
git status
git log`;

const lines = (text: string) =>
	text
		.trim()
		.split("\n")
		.map((line) => [line] as const);

describe("judgeParts", () => {
	it.each(lines(FREE))("knows that %s only reads", (command) => {
		expect(isFree(command)).toBe(true);
	});

	it.each(lines(ASKED))("does not take %s for one that only reads", (command) => {
		expect(isFree(command)).toBe(false);
	});

	it.each([
		"git status",
		"git status -s",
		"git --no-pager log --oneline -n 5",
		"git diff HEAD^ -- src/a.ts",
		"git show HEAD:src/a.ts",
		"git blame a.txt",
		"git ls-files",
		"git rev-parse HEAD",
		"git branch --list",
		"git branch -avv",
	])("knows that %s only reads where a sandbox confines it", (command) => {
		expect([isFree(command, true), isFree(command, false)]).toEqual([true, false]);
	});

	it.each([
		"git diff --output=x",
		"git log --outp=x",
		"git diff --ext-diff",
		"git show --textconv",
		"git diff --no-index a.txt b.txt",
		"git blame --con=/etc/passwd a.txt",
		"git blame --contents=/etc/passwd a.txt",
		"git blame --ignore-revs-file=/etc/passwd a.txt",
		"git -c core.pager=./x log",
		"git --git-dir=x status",
		"git -C .. status",
		"git --exec-path=. status",
		"git branch n",
		"git branch -D n",
		"git checkout -b n",
		"git add .",
		"git show HEAD:.env",
		"git diff ../x",
		"git grep -O./x y",
		"git fetch",
	])("does not take %s for one that only reads, in a sandbox neither", (command) => {
		expect(isFree(command, true)).toBe(false);
	});

	it.each([
		["diff -rN . empty", "all"],
		["diff -N . empty", "all"],
		["grep -r x .", "all"],
		["rg --hidden x .", "all"],
		["rg -uu x .", "all"],
		["rg x .", "unhidden"],
		["rg --files .", undefined],
		["grep x .", undefined],
	] as const)("has the folders of %s looked into for secrets: %s", (command, searched) => {
		const folder = { word: ".", isGlob: false, ...(searched ? { searched } : {}) };
		expect(pathWords(command)).toContainEqual(folder);
	});

	it("asks about a path that nobody looked up", () => {
		const judged = judgeParts("cat a.txt", { rules: [], named: undefined, isConfined: true });
		expect(judged).toMatchObject({
			parts: [{ allowedBy: "nothing", why: "Nobody looked up where a.txt leads." }],
		});
	});
});

describe("onlyReads", () => {
	it.each(["cat a.txt", "cd src && cat b.ts | head -5 2>/dev/null", "cat /etc/hosts; git diff --stat"])(
		"knows that %j changes nothing, wherever its paths lead",
		(command) => {
			expect(onlyReads(command)).toBe(true);
		},
	);

	it.each([
		"npm test",
		"cat a > b",
		"cat a && touch b",
		"sed -i s/a/b/ a.txt",
		"sleep 1",
		"cat $(rm a)",
		"((",
	])("does not know it of %j", (command) => {
		expect(onlyReads(command)).toBe(false);
	});
});

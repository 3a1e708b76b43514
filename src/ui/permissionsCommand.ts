// /permissions: shows the rules, changes the person's own, takes over what the project suggests, and tells what would
// happen to a command. Nothing is run.

import { type CommandDesk, obtain, print } from "./commandDesk.ts";
import { commandTestText, permissionsText, ruleText } from "./commandTexts.ts";
import { countOf } from "./view/format.ts";

const USAGE =
	"Say /permissions, or with one of: add allow|ask|deny RULE · remove RULE · test COMMAND · import. A rule is such as runCommand(npm test *), editFile(src/**) or webFetch(domain:example.org).";
const TAKE = "Take them over";
const LEAVE = "Leave them";

/** Does what `argument` says; without one, lists. */
export async function permissions(desk: CommandDesk, argument: string): Promise<void> {
	const [, action = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(argument) ?? [];
	switch (action) {
		case "":
		case "list":
			return print(desk, permissionsText(await obtain(desk, { do: "permissions" })));
		case "add":
			return add(desk, rest);
		case "remove":
			return remove(desk, rest);
		case "test":
			return print(desk, commandTestText(await obtain(desk, { do: "testCommand", command: rest })));
		case "import":
			return takeOver(desk);
		default:
			return print(desk, USAGE, "warning");
	}
}

async function add(desk: CommandDesk, rest: string): Promise<void> {
	const [, effect, rule = ""] = /^(allow|ask|deny)\s+([\s\S]+)$/.exec(rest) ?? [];
	if (effect !== "allow" && effect !== "ask" && effect !== "deny") return print(desk, USAGE, "warning");
	const { path, changed } = await obtain(desk, { do: "addRule", effect, rule });
	const where = changed ? "Added to" : "Stands already in";
	print(desk, `${where} ${path}, and holds from now on: ${effect} ${rule}`, "dim");
}

async function remove(desk: CommandDesk, rule: string): Promise<void> {
	if (rule === "") return print(desk, USAGE, "warning");
	const { path, changed } = await obtain(desk, { do: "removeRule", rule });
	if (changed) print(desk, `Taken out of ${path}: ${rule}`, "dim");
	else print(desk, `There is no rule ${rule} in ${path}. /permissions lists them.`, "warning");
}

async function takeOver(desk: CommandDesk): Promise<void> {
	const { suggested } = await obtain(desk, { do: "permissions" });
	if (suggested.length === 0)
		return print(desk, "This project suggests no rules, or it is not trusted and none were read.", "dim");
	print(desk, ["This project suggests:", ...suggested.map((rule) => `  ${ruleText(rule)}`)].join("\n"));
	const question = "They hold here alone, and only until that file changes.";
	const answer = await desk.questions.ask(question, { options: [LEAVE, TAKE] });
	if (answer !== TAKE) return;
	const { path, rules } = await obtain(desk, { do: "importRules" });
	print(desk, `${countOf(rules.length, "rule")} taken over into ${path}.`, "dim");
}

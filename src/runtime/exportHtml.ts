// A session as one page of HTML that needs nothing else: no script, no address is loaded. Every text of it is escaped,
// since people, models and files wrote it. Pure.

import { inConversationOrder } from "../session/conversationOrder.ts";
import type { Commit, SeedMessage, SessionEvent } from "../session/events.ts";
import { GAP_SENTENCE, gapsIn } from "../session/fork.ts";
import { reduceAll } from "../session/reduce.ts";

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem;
	color: #1a1a1a; background: #fff; }
h1 { font-size: 1.4rem; } h2 { font-size: 1rem; margin: 1.5rem 0 .25rem; } .facts, .note { color: #666; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; } .user { background: #f0f4fa; padding: .5rem .75rem; }
details { border-left: 3px solid #ccc; padding-left: .75rem; margin: .5rem 0; } .failed { border-color: #c33; }
summary, pre { font: 14px/1.45 ui-monospace, monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0; }
@media (prefers-color-scheme: dark) {
	body { color: #e6e6e6; background: #16181c; } .user { background: #22262e; } .facts, .note { color: #999; }
}`;

/** The whole conversation as one page; ends with a newline. */
export function exportHtml(commits: readonly Commit[]): string {
	const events = commits.flatMap((commit) => commit.events);
	const { title, sessionId, cwd } = reduceAll(events);
	const model = events.findLast((event) => event.type === "step/start")?.model.model ?? "none";
	const name = escaped(title.trim() || "Session");
	let reply = "";
	const gaps = gapsIn(commits);
	const parts = inConversationOrder(commits).flatMap((commit) => [
		...(gaps.has(commit.seq) ? [note(GAP_SENTENCE)] : []),
		...commit.events.flatMap((event) => {
			if (event.type === "attempt/end") reply = event.text;
			return partOf(event, reply);
		}),
	]);
	const facts = `Session ${sessionId} in ${cwd}, ${commits[0]?.at ?? ""}, model ${model}`;
	return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${name}</title>
<style>${STYLE}
</style>
</head>
<body>
<h1>${name}</h1>
<p class="facts">${escaped(facts)}</p>
${parts.join("\n")}
</body>
</html>
`;
}

/** What an event adds; `reply` is the text of the last ended Attempt. */
function partOf(event: SessionEvent, reply: string): string[] {
	switch (event.type) {
		case "session/created":
			return (event.seed ?? []).flatMap(seedParts);
		case "user/message":
			return said(event.origin === "program" ? "Command" : "User", event.text);
		case "assistant/accepted":
			return said("Assistant", event.text ?? reply);
		case "tool/call":
			return [folded(event.name, event.invalidArguments ?? JSON.stringify(event.args, undefined, 2), false)];
		case "tool/result":
			return [folded(`Result: ${event.status}`, event.text, event.status !== "result")];
		case "mode/changed":
			return [note(`Mode: ${event.mode}`)];
		case "turn/end":
			if (event.status === "completed") return [];
			return [note(`The turn ended as ${event.status}: ${event.reason ?? "no reason"}`)];
		default:
			return [];
	}
}

function seedParts(message: SeedMessage): string[] {
	if (message.role === "user") return said("User", message.text);
	if (message.role === "tool") return [folded("Result", message.text, false)];
	const calls = message.calls.map(({ name, args }) =>
		folded(name, JSON.stringify(args, undefined, 2), false),
	);
	return [...said("Assistant", message.text), ...calls];
}

function said(who: string, text: string): string[] {
	if (text.trim() === "") return [];
	const kind = who === "Assistant" ? "text" : "text user";
	return [`<h2>${who}</h2>\n<div class="${kind}">${escaped(text.trim())}</div>`];
}

function folded(summary: string, text: string, isFailed: boolean): string {
	const kind = isFailed ? ' class="failed"' : "";
	return `<details${kind}><summary>${escaped(summary)}</summary><pre>${escaped(text.trimEnd())}</pre></details>`;
}

function note(text: string): string {
	return `<p class="note">${escaped(text)}</p>`;
}

const ENTITIES: Record<string, string> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
	"'": "&#39;",
};

function escaped(text: string): string {
	return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? "");
}

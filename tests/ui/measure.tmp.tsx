import { EventEmitter } from "node:events";
import { render } from "ink";
import { Screen } from "../../src/ui/components/Screen.tsx";
import { reduceView } from "../../src/ui/view/reduce.ts";
import { afterEvents, attemptStart, facts, inputOf, text, toolCall, toolResult, viewOf } from "../support/screenView.ts";
class Out extends EventEmitter { columns = 100; rows = 40; isTTY = true; bytes = 0; write(s: string, cb?: unknown) { this.bytes += Buffer.byteLength(s); if (typeof cb === "function") cb(); return true; } }
const out = new Out();
const size = { columns: 100, rows: 40 };
let view = afterEvents(viewOf(size), facts({ type: "turn/start", turnId: "t", source: { kind: "recovery" } }, attemptStart()));
const input = inputOf("", size);
const app = render(<Screen view={view} input={input} level={1} />, { stdout: out as never, patchConsole: false, exitOnCtrlC: false });
const wait = (ms: number) => new Promise((r) => setTimeout(r, ms));
await wait(200);
const draw = () => app.rerender(<Screen view={view} input={input} level={1} />);
let c = process.cpuUsage(); let b = out.bytes;
for (let i = 0; i < 5000; i++) {
	view = reduceView(view, text(i % 12 === 11 ? "end.\n" : i % 5 === 0 ? "**bold** " : "word "), i);
	if (i % 50 === 49) { view = reduceView(view, { kind: "flush" }, i); draw(); await wait(20); }
}
let u = process.cpuUsage(c);
console.log("5000 tokens, 100 flushes: cpu ms", (u.user + u.system) / 1000, "bytes", out.bytes - b);
view = reduceView(view, facts({ type: "turn/end", turnId: "t", status: "completed" }), 1);
c = process.cpuUsage(); b = out.bytes; const t0 = performance.now();
for (let i = 0; i < 200; i++) {
	const id = `c${i}`;
	view = afterEvents(view, facts(toolCall("readFile", { path: `src/a${i}.ts` }, id), { type: "tool/start", callId: id, idempotencyKey: "k" }));
	draw(); await wait(1);
	view = afterEvents(view, facts(toolResult("1\n2\n3", { callId: id })), text("Some words here.\n"), { kind: "flush" });
	draw(); await wait(1);
}
u = process.cpuUsage(c);
console.log("200 turns: cpu ms", (u.user + u.system) / 1000, "wall", performance.now() - t0, "bytes", out.bytes - b, "rss", process.memoryUsage().rss / 1e6);
c = process.cpuUsage();
for (let i = 0; i < 200; i++) { app.rerender(<Screen view={view} input={inputOf("x".repeat(i % 60), size)} level={1} />); await wait(0); }
u = process.cpuUsage(c); console.log("200 keys: cpu ms", (u.user + u.system) / 1000);
app.unmount();

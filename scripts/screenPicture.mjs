#!/usr/bin/env node
// Draws docs/screen.svg: what the built program shows in a real run against a scripted model, cell by cell out of a
// terminal emulator. Run it after a change of the screen: npm run build && node scripts/screenPicture.mjs

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

const root = fileURLToPath(new URL("..", import.meta.url));
const COLUMNS = 84;
const ROWS = 32;
const CELL = { width: 8.4, height: 18 };
const BACK = "#11151c";
const FRONT = "#d5dae3";
const PALETTE = [
	"#11151c",
	"#f2777a",
	"#8fc97a",
	"#e8b45c",
	"#6cb0f5",
	"#c792ea",
	"#5ec8d8",
	"#d5dae3",
	"#7d8799",
];

const SOURCE = 'export function greet(name) {\n\treturn "Hello " + nmae;\n}\n';
const REPLIES = [
	{ calls: [["readFile", { path: "greet.js" }]] },
	{
		text: "The **typo** is in line 2: `nmae` is not defined.\n\nI will:\n\n- name the parameter as it is called\n- run the tests\n",
		calls: [["editFile", { path: "greet.js", oldString: '"Hello " + nmae', newString: '"Hello " + name' }]],
	},
];

const folder = mkdtempSync(join(tmpdir(), "agi-picture-"));
const server = await startServer();
try {
	const emulator = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
	await run(emulator);
	writeFileSync(join(root, "docs", "screen.svg"), svgOf(emulator));
} finally {
	server.close();
	server.closeAllConnections();
	rmSync(folder, { recursive: true, force: true });
}

async function startServer() {
	let asked = 0;
	const made = createServer((request, response) => {
		request.resume().on("end", () => {
			const { text = "", calls = [] } = REPLIES[Math.min(asked++, REPLIES.length - 1)];
			const tool_calls = calls.map(([name, args], index) => ({
				index,
				id: `call_${asked}_${index}`,
				type: "function",
				function: { name, arguments: JSON.stringify(args) },
			}));
			const chunks = [
				{ choices: [{ index: 0, delta: { content: text, tool_calls } }] },
				{ choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
				{ choices: [], usage: { prompt_tokens: 9200, completion_tokens: 240, total_tokens: 9440 } },
			];
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.end(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`);
		});
	});
	await new Promise((listening) => made.listen(0, "127.0.0.1", listening));
	return made;
}

/** Until the question is on the screen. */
async function run(emulator) {
	const project = join(folder, "greeter");
	mkdirSync(join(project, ".git", "refs"), { recursive: true });
	writeFileSync(join(project, ".git", "HEAD"), "ref: refs/heads/main\n");
	writeFileSync(join(project, "greet.js"), SOURCE);
	const base = `http://127.0.0.1:${server.address().port}/v1`;
	const { PATH = "" } = process.env;
	const env = { PATH, HOME: folder, AGI_HOME: join(folder, "home"), TERM: "xterm-256color", LANG: "C.UTF-8" };
	const args = ["--trust", "--base-url", base, "-m", "qwen3.5-flash"];
	const pty = spawn(join(root, "bin", "agi"), args, { cols: COLUMNS, rows: ROWS, cwd: project, env });
	pty.onData((text) => emulator.write(text));
	try {
		await shown(emulator, "qwen3.5-flash");
		pty.write("fix the typo in greet.js, then run the tests");
		await shown(emulator, "then run the tests");
		pty.write("\r");
		await shown(emulator, "Esc = No");
	} finally {
		pty.kill("SIGKILL");
	}
}

async function shown(emulator, text) {
	for (let tries = 0; tries < 1000; tries++) {
		const { active } = emulator.buffer;
		for (let y = 0; y < ROWS; y++)
			if (
				active
					.getLine(active.baseY + y)
					?.translateToString()
					.includes(text)
			)
				return;
		await new Promise((later) => setTimeout(later, 10));
	}
	throw new Error(`The screen never showed ${text}.`);
}

function svgOf(emulator) {
	const { active } = emulator.buffer;
	const lines = Array.from({ length: ROWS }, (_, y) => active.getLine(active.baseY + y));
	while (lines.at(-1)?.translateToString(true) === "") lines.pop();
	const width = Math.ceil(COLUMNS * CELL.width) + 24;
	const height = lines.length * CELL.height + 28;
	const rows = lines.map((line, y) => rowOf(line, 14 + (y + 0.75) * CELL.height)).join("");
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" xml:space="preserve"><title>agi asks before it edits a file</title><rect width="100%" height="100%" rx="8" fill="${BACK}"/>${rows}</svg>\n`;
}

/** Runs of cells in one style; each is placed by its own column, so that no font can shift the rest. */
function rowOf(line, y) {
	const runs = [];
	for (let x = 0; x < COLUMNS; x++) {
		const cell = line.getCell(x);
		const letters = cell?.getChars() || " ";
		const style = styleOf(cell);
		const last = runs.at(-1);
		if (last?.style === style) last.text += letters;
		else runs.push({ x, style, text: letters });
	}
	return runs
		.filter(({ text }) => text.trim() !== "")
		.map(({ x, style, text }) => {
			const lead = text.length - text.trimStart().length;
			const at = (12 + (x + lead) * CELL.width).toFixed(1);
			return `<text x="${at}" y="${y.toFixed(1)}"${style}>${escapeXml(text.trim())}</text>`;
		})
		.join("");
}

function styleOf(cell) {
	const colour = cell.isFgPalette() ? (PALETTE[cell.getFgColor()] ?? PALETTE[8]) : FRONT;
	const bold = cell.isBold() ? ' font-weight="bold"' : "";
	const faint = cell.isDim() ? ' opacity="0.6"' : "";
	return ` fill="${colour}"${bold}${faint}`;
}

function escapeXml(text) {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

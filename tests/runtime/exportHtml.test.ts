import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportHtml } from "../../src/runtime/exportHtml.ts";
import { sessionCommits } from "../support/recordedLog.ts";

/** Tags that stand in a page, in order. */
function tagsOf(page: string): string[] {
	return [...page.matchAll(/<\/?[a-z!][^>]*>/gi)].map(([tag]) => tag);
}

describe("exportHtml", () => {
	it("tells the whole conversation, calls and results folded away", () => {
		const page = exportHtml(
			sessionCommits("s1", 1, { prompt: "what is it?", answer: "It is this.", result: "found" }),
		);
		expect(page).toContain("<title>what is it?</title>");
		expect(page).toContain("Session s1 in /w");
		const order = [
			"what is it?</div>",
			"<summary>readFile</summary>",
			"<pre>found</pre>",
			"It is this.</div>",
		];
		const places = order.map((part) => page.indexOf(part));
		expect(places).toEqual([...places].sort((a, b) => a - b));
		expect(places[0]).toBeGreaterThan(0);
	});

	it("loads nothing and runs nothing", () => {
		const page = exportHtml(sessionCommits("s1", 1));
		expect(page).toContain("default-src 'none'");
		expect(page).not.toMatch(/<script|<link|<img|<iframe|\bsrc=|\bhref=|url\(|@import/i);
	});

	it("has the same tags whatever was said, so that no text becomes a part of the page", () => {
		const plain = tagsOf(exportHtml(sessionCommits("s1", 1, { prompt: "p", answer: "a", result: "r" })));
		const hostile = fc.string({
			unit: fc.constantFrom(
				"<script>",
				"</pre>",
				"</title>",
				'"',
				"'",
				"&",
				"<",
				">",
				"-->",
				"a",
				" ",
				"&lt;",
			),
			minLength: 1,
		});
		fc.assert(
			fc.property(hostile, hostile, hostile, (prompt, answer, result) => {
				const texts = { prompt: `p${prompt}`, answer: `a${answer}`, result: `r${result}` };
				expect(tagsOf(exportHtml(sessionCommits("s1", 1, texts)))).toEqual(plain);
			}),
		);
	});

	it("shows letters that mean something to HTML as they are", () => {
		const page = exportHtml(sessionCommits("s1", 1, { answer: `if (a < b && c > "d") 'e'` }));
		expect(page).toContain("if (a &lt; b &amp;&amp; c &gt; &quot;d&quot;) &#39;e&#39;");
	});
});

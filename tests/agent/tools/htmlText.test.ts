// HTML as a model reads it.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlText } from "../../../src/agent/tools/htmlText.ts";

const read = (html: string) => htmlText(html, "https://site.test/docs/page");

describe("htmlText", () => {
	it("keeps title, headings, paragraphs and lists apart", () => {
		const html = `<!doctype html><html><head><title>The title</title><meta charset=utf-8></head>
			<body>\n<h1>Head  line</h1>\n<p>One\n two</p><p>three<br>four</p>
			<ul>\n <li> a </li>\n <li><p>b</p></li></ul></body></html>`;
		expect(read(html)).toBe("The title\n\n# Head line\n\nOne two\n\nthree\nfour\n\n- a\n\n- b");
	});

	it("leaves out scripts, styles, comments and the like", () => {
		const html = `a<script>if (1 < 2) "</p>"; '<b>'</script><style>p{}</style><!-- <p>no</p> --><svg><text>no</text></svg>
			<template>no</template><SCRIPT src=x></SCRIPT >b`;
		expect(read(html)).toBe("a b");
		expect(read("a<svg/>b<script src=x/>no</script>c")).toBe("abc");
	});

	it("makes links absolute and leaves out those that lead nowhere", () => {
		const html = `<a href="../x?a=1&amp;b=2">up</a> <a href='#top'>top</a> <a href=javascript:run()>run</a>
			<a href="//other.test/"><b>bold
			words</b></a> <a href="/empty"> </a>`;
		expect(read(html)).toBe("[up](https://site.test/x?a=1&b=2) top run [bold words](https://other.test/)");
	});

	it("keeps preformatted text as it is", () => {
		expect(read("<p>Do</p><pre><code>if a:\n    b &lt; c\n</code></pre>and <code>x</code>")).toBe(
			"Do\n\n```\nif a:\n    b < c\n\n```\n\nand `x`",
		);
	});

	it("sets table cells side by side", () => {
		expect(read("<table><tr><th>k</th><th>v</th></tr>\n<tr><td>a</td><td>1</td></tr></table>")).toBe(
			"k | v\n\na | 1",
		);
	});

	it("tells the alternative text of an image", () => {
		expect(read(`see <img src=x alt="a chart"><img src=y alt="">`)).toBe("see image: a chart");
	});

	it("decodes entities once", () => {
		expect(read("&lt;b&gt; &amp;lt; &euro;&#8364;&#x20ac; &nbsp;x &nosuch; &#0;&#xd800; a&b")).toBe(
			"<b> &lt; €€€ x &nosuch; \ufffd\ufffd a&b",
		);
	});

	it("finds the end of a tag past quoted signs, and takes a lone sign for text", () => {
		expect(read(`<p title="a > b" onclick='x("<p>")'>in</p> 1 < 2 <3`)).toBe("in\n\n1 < 2 <3");
	});

	it("takes plain text as it is and ends with whatever was begun", () => {
		expect(read("no markup")).toBe("no markup");
		expect(read("a<p class='never closed>b")).toBe("a");
		expect(read("a<!-- never closed")).toBe("a");
		expect(read("a<script>never closed")).toBe("a");
	});

	it("never throws, whatever comes", () => {
		const piece = fc.constantFrom(
			"<",
			">",
			"</",
			"a",
			"<a href=",
			'"',
			"'",
			"=",
			"<pre>",
			"</pre>",
			"<!--",
			"&#",
			";",
			" ",
			"<td>",
			"<script",
		);
		fc.assert(
			fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 40 }), (parts) => {
				expect(read(parts.join(""))).not.toMatch(/^\s|\s$|\n{3}/);
			}),
		);
	});

	it.each([
		["open quotes", `<a "`],
		["open tags", "<a href='x"],
		["links", "<a href=x>"],
		["blanks in preformatted text", "<pre> \t "],
		["comments", "<!--"],
		["scripts", "<script>"],
		["equals signs", "<a = = "],
		["entities", "&amp"],
	])("takes time in proportion to the length: %s", (_, unit) => {
		// A quadratic reader would need minutes for this.
		const startedAt = performance.now();
		read(unit.repeat(2_000_000 / unit.length));
		expect(performance.now() - startedAt).toBeLessThan(10_000);
	});
});

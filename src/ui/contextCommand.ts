// /context: what fills the window, and the person's hand in it: masks, pins and opens single items.

import type { ContextItem, ItemChange } from "../session/contextItems.ts";
import { type CommandDesk, obtain, print } from "./commandDesk.ts";
import { contextText, itemTitle } from "./contextText.ts";
import { formatTokens } from "./view/format.ts";

const CHANGES: Record<string, ItemChange> = { mask: "mask", unmask: "unmask", pin: "pin", unpin: "unpin" };

/** Carries out what stands behind `/context`: nothing, `all`, or what to do to which items. */
export async function showContext(desk: CommandDesk, argument: string): Promise<void> {
	const [word = "", ...refs] = argument.split(/[\s,]+/).filter(Boolean);
	const change = CHANGES[word];
	if (word === "" || word === "all")
		return print(desk, contextText(await obtain(desk, { do: "contextItems" }), word === "all"));
	if (!change && word !== "open")
		throw new Error("Say /context, /context all, or mask, unmask, pin, unpin or open with a number.");
	if (refs.length === 0)
		throw new Error(`Say which item: /context ${word} N. /context all shows the numbers.`);
	const { items } = await obtain(desk, { do: "contextItems" });
	for (const ref of refs) {
		const item = items.find((one) => one.ref === ref.replace(/^#/, ""));
		if (!item) throw new Error(`There is no item ${ref}; /context all shows them.`);
		if (change) await changeItem(desk, item, change);
		else print(desk, `${itemTitle(item)}\n\n${await obtain(desk, { do: "openItem", ref: item.ref })}`);
	}
}

async function changeItem(desk: CommandDesk, item: ContextItem, change: ItemChange): Promise<void> {
	const { itemId, ref } = item;
	if (itemId === undefined)
		throw new Error(
			`Item ${ref} (${itemTitle(item)}) is agi's own part of each request; only messages, answers and results can be masked or pinned.`,
		);
	const { tokens } = await obtain(desk, { do: "changeItem", itemId, change });
	print(desk, `${ref}, ${itemTitle(item)}: ${saidOf(change, tokens)}`, "dim");
}

function saidOf(change: ItemChange, tokens: number): string {
	const anew = "From the next step on; the server's prompt cache starts anew from that place.";
	switch (change) {
		case "mask":
			return `masked. The model sees a mark in place of ≈${formatTokens(tokens)} tokens. ${anew}`;
		case "unmask":
			return `the model sees it again. ${anew}`;
		case "pin":
			return "pinned. Every summary leaves it word for word.";
		case "unpin":
			return "no longer pinned.";
		default:
			return change satisfies never;
	}
}

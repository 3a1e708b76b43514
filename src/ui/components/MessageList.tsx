// The transcript: each block is printed once, above everything else, and then belongs to the terminal.

import { Static } from "ink";
import { memo, type ReactNode } from "react";
import type { Block } from "../view/state.ts";
import { Lines } from "./Lines.tsx";

/** Prints the blocks that are new since the last time; the list only grows. */
export const MessageList = memo(function MessageList({ blocks }: { blocks: readonly Block[] }): ReactNode {
	return <Static items={[...blocks]}>{(block) => <Lines key={block.id} lines={block.lines} />}</Static>;
});

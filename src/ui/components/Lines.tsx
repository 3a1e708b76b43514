// Styled lines on the screen: the only place where they become Ink's text. One line is one row.

import { Text } from "ink";
import { createContext, memo, type ReactNode, use } from "react";
import { type ColourLevel, paint, type StyledLine } from "../view/style.ts";

/** How many colours the terminal has. */
export const ColourContext = createContext<ColourLevel>(0);

/** Draws `lines`, each in a row of its own. */
export function Lines({ lines }: { lines: readonly StyledLine[] }): ReactNode {
	const level = use(ColourContext);
	if (lines.length === 0) return null;
	// Ink gives no row to an empty text.
	return <Painted text={lines.map((row) => paint(row, level) || " ").join("\n")} />;
}

/** What looks as before is not laid out again. */
const Painted = memo(function Painted({ text }: { text: string }): ReactNode {
	return <Text wrap="truncate">{text}</Text>;
});

// Draws components for tests and looks at the last frame.

import { cleanup, render } from "ink-testing-library";
import type { ReactNode } from "react";
import { afterEach } from "vitest";
import { ColourContext } from "../../../src/ui/components/Lines.tsx";

afterEach(cleanup);

/** The frame of `node`, row by row. */
export function rowsOf(node: ReactNode): string[] {
	const drawn = render(<ColourContext value={0}>{node}</ColourContext>);
	return (drawn.lastFrame() ?? "").split("\n");
}

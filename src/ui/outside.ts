// What the screen asks of the machine around it: an editor, the clipboard, a file. The program brings it.

/** The machine, as far as the screen needs it. */
export interface Outside {
	/**
	 * Lets the person edit `text` in their editor, which has the terminal meanwhile; `name` tells the editor what kind of
	 * text it is. Rejects with a sentence.
	 */
	editText(text: string, name?: string): Promise<string>;
	/** Puts `text` into the clipboard; false where no program for it is there. */
	copyText(text: string): Promise<boolean>;
	/** Writes a new file and resolves with its path; rejects with a sentence, also where it exists. */
	saveText(path: string, text: string): Promise<string>;
}

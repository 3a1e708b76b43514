// Takes out of a text what a person cannot see but a model reads: tag letters, direction controls, zero-width letters and
// runs of variation selectors. What scripts and emoji need stays. Pure.

/** Flags of England, Scotland and Wales are a black flag and tag letters (UTS #51, annex B). */
const FLAG =
	/\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/u;

/** Joiners (U+200C, U+200D) and a single variation selector are part of scripts and emoji. */
const HIDDEN =
	/[\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u3164\uffa0]|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/u;

const EITHER = new RegExp(`(${FLAG.source})|${HIDDEN.source}`, "gu");

/** The text without hidden characters, and how many there were. */
export function withoutHidden(text: string): { text: string; removed: number } {
	// Most files are plain ASCII, and that is told much faster.
	if (/^[\t\n\r\x20-\x7e]*$/.test(text)) return { text, removed: 0 };
	let removed = 0;
	const shown = text.replace(EITHER, (_match, flag: string | undefined) => {
		if (flag !== undefined) return flag;
		removed++;
		return "";
	});
	return { text: shown, removed };
}

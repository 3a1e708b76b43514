// The choice of a person's language. Pure.

/** Picks the wording in the person's language. */
export type Say = (english: string, chinese: string) => string;

/** Chinese where the person's words hold a Chinese character, else English. */
export function speaker(words: string): Say {
	return /\p{Script=Han}/u.test(words) ? (_, chinese) => chinese : (english) => english;
}

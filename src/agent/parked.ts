// How a Turn stands still when agi ends while a person is asked: what waits for the answer unwinds without a fact, so that
// Turn, call and question stay open in the log, and the next start asks again.

/** Unwinds what waits for a person's answer. Nothing is recorded of it on the way. */
export class Parked extends Error {
	override name = "Parked";
	constructor() {
		super("agi ends while a person is asked: the question stays open");
	}
}

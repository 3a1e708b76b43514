import { describe, expect, it } from "vitest";
import { readUsage } from "../../../src/adapters/models/readUsage.ts";

describe("readUsage", () => {
	it("reads the reference's spelling", () => {
		const usage = {
			prompt_tokens: 1000,
			completion_tokens: 50,
			total_tokens: 1050,
			prompt_tokens_details: { cached_tokens: 900 },
			completion_tokens_details: { reasoning_tokens: 20 },
		};
		expect(readUsage(usage)).toEqual(usage);
	});

	it("reads numbers that are strings, and other servers' names", () => {
		const told = { input_tokens: "12", output_tokens: "3", prompt_cache_hit_tokens: 4 };
		expect(readUsage(told)).toMatchObject({
			prompt_tokens: 12,
			completion_tokens: 3,
			total_tokens: 15,
			prompt_tokens_details: { cached_tokens: 4 },
		});
	});

	it("works a missing count out of the total", () => {
		expect(readUsage({ prompt_tokens: 10, total_tokens: 14 })).toMatchObject({ completion_tokens: 4 });
		expect(readUsage({ completion_tokens: 4, total_tokens: 14 })).toMatchObject({ prompt_tokens: 10 });
	});

	it("adds cached tokens to the prompt where the server counts them apart", () => {
		const usage = readUsage({ prompt_tokens: 5, completion_tokens: 1, cached_tokens: 100 });
		expect(usage).toMatchObject({ prompt_tokens: 105, prompt_tokens_details: { cached_tokens: 100 } });
	});

	it.each([
		[null],
		["10"],
		[{}],
		[{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
		[{ prompt_tokens: null, completion_tokens: null }],
		[{ prompt_tokens: "NaN", completion_tokens: Number.NaN }],
		[{ prompt_tokens: -5, completion_tokens: 3 }],
	])("takes %j as not told", (told) => {
		expect(readUsage(told)).toBeUndefined();
	});
});

import { describe, expect, it } from "vitest";
import {
	costOf,
	findProfile,
	modelFacts,
	PROFILES,
	takesImages,
} from "../../../src/adapters/models/catalog.ts";

describe("findProfile", () => {
	it.each([
		["https://api.openai.com/v1/", "openai"],
		["https://dashscope.aliyuncs.com/compatible-mode/v1", "dashscope"],
		["https://openrouter.ai/api/v1", "openrouter"],
		["http://127.0.0.1:11434/v1", "ollama"],
		["http://localhost:1234", "lmstudio"],
		["http://[::1]:8000/v1", "vllm"],
		["https://api.openai.com.evil.example/v1", "custom"],
		["http://localhost:9999/v1", "custom"],
		["no url", "custom"],
	])("names the server of %s %s", (baseUrl, name) => {
		expect(findProfile(baseUrl).name).toBe(name);
	});
});

describe("takesImages", () => {
	it.each([
		...["gpt-5-mini", "gpt-4o-2024-08-06", "openai/gpt-4.1", "o3", "o4-mini", "qwen3.5-flash-2026-02-23"],
		...["qwen2.5vl:7b", "qwen3-vl-plus", "llava:13b", "gemma3:12b", "llama3.2-vision", "llama4:scout"],
		...["glm-4.5v", "moonshot-v1-8k-vision-preview", "kimi-k2.5", "claude-opus-4", "google/gemini-2.5-pro"],
	])("knows that %s does", (model) => expect(takesImages(model)).toBe(true));

	it.each([
		...["deepseek-chat", "deepseek-v3", "qwen3-coder-plus", "qwen3:8b", "o3-mini", "llama3.3", "glm-4.6"],
		...["kimi-k2-0905-preview", "gpt-oss:20b", "grok-code-fast-1", "mistral-large", "gemma3:1b"],
	])("does not say so of %s", (model) => expect(takesImages(model)).not.toBe(true));

	it("knows nothing of names that tell nothing", () => {
		expect(["house-model", "m", "o3-mini", ""].map(takesImages)).toEqual(new Array(4).fill(undefined));
	});
});

describe("modelFacts", () => {
	const openai = findProfile("https://api.openai.com/v1");

	it("knows the customer's default model", () => {
		const profile = findProfile("https://dashscope.aliyuncs.com/compatible-mode/v1");
		expect(modelFacts(profile, profile.defaultModel ?? "").contextWindow).toBe(1_000_000);
	});

	it("gives a dated name the facts of its own family, not of a shorter name", () => {
		expect(modelFacts(openai, "gpt-4.1-mini-2025-04-14")).toEqual(modelFacts(openai, "gpt-4.1-mini"));
		expect(modelFacts(openai, "gpt-4.1-mini").price?.input).toBe(0.4);
	});

	it("knows nothing of a model that only begins like a known one, and never says 0", () => {
		expect(modelFacts(openai, "gpt-5-codex-max")).toEqual({});
		expect(modelFacts(findProfile("http://localhost:11434/v1"), "qwen3:8b")).toEqual({});
		const facts = PROFILES.flatMap(({ models }) => Object.values(models));
		const numbers = facts.flatMap(({ price, ...limits }) => [
			...Object.values(limits),
			...Object.values(price ?? {}),
		]);
		expect(numbers.every((number) => number > 0)).toBe(true);
	});
});

describe("costOf", () => {
	it("counts cached tokens as part of the prompt", () => {
		const usage = { inputTokens: 1000, outputTokens: 10, cachedInputTokens: 900, reasoningTokens: 0 };
		expect(costOf(usage, { input: 1, cachedInput: 0.1, output: 2 })).toBeCloseTo(0.00021, 10);
		expect(costOf(usage, { input: 1, output: 2 })).toBeCloseTo(0.00102, 10);
	});
});

describe("PROFILES", () => {
	it("has a name and an address of its own for each server, custom last", () => {
		expect(new Set(PROFILES.map(({ name }) => name)).size).toBe(PROFILES.length);
		expect(PROFILES.at(-1)?.name).toBe("custom");
		for (const { name, baseUrl } of PROFILES.slice(0, -1)) expect(findProfile(baseUrl).name).toBe(name);
	});
});

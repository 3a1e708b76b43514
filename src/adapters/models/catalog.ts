// What agi knows of servers and models by itself: addresses, the variable that usually holds the key, windows and
// prices. Only what is published and stable stands here; what is unknown is absent, never 0. Pure.

import type { Usage } from "../../types.ts";

/** US dollars per million tokens. Without `cachedInput`, cached tokens cost as much as others. */
export interface Price {
	input: number;
	cachedInput?: number;
	output: number;
}

/** What is known of one model; limits in tokens. */
export interface ModelFacts {
	contextWindow?: number;
	maxOutput?: number;
	price?: Price;
}

/** A server that people use. */
export interface Profile {
	name: string;
	title: string;
	/** Empty for `custom`. */
	baseUrl: string;
	/** Where its users usually keep the key; agi's own `LLM_API_KEY` goes before it. */
	keyVariable?: string;
	/** Runs on the person's machine and needs no key. */
	local: boolean;
	defaultModel?: string;
	/** By model name; a dated or `latest` name is looked up under its family's name too. */
	models: Record<string, ModelFacts>;
}

const gpt = (
	contextWindow: number,
	maxOutput: number,
	input: number,
	cachedInput: number,
	output: number,
) => ({
	contextWindow,
	maxOutput,
	price: { input, cachedInput, output },
});

const OPENAI_MODELS: Record<string, ModelFacts> = {
	"gpt-5": gpt(400_000, 128_000, 1.25, 0.125, 10),
	"gpt-5-mini": gpt(400_000, 128_000, 0.25, 0.025, 2),
	"gpt-5-nano": gpt(400_000, 128_000, 0.05, 0.005, 0.4),
	"gpt-4.1": gpt(1_047_576, 32_768, 2, 0.5, 8),
	"gpt-4.1-mini": gpt(1_047_576, 32_768, 0.4, 0.1, 1.6),
	"gpt-4.1-nano": gpt(1_047_576, 32_768, 0.1, 0.025, 0.4),
	"gpt-4o": gpt(128_000, 16_384, 2.5, 1.25, 10),
	"gpt-4o-mini": gpt(128_000, 16_384, 0.15, 0.075, 0.6),
	o3: gpt(200_000, 100_000, 2, 0.5, 8),
	"o4-mini": gpt(200_000, 100_000, 1.1, 0.275, 4.4),
};

// Prices of the Chinese region are in yuan and rise with the length of the prompt: not stated here.
const QWEN_MODELS: Record<string, ModelFacts> = {
	"qwen3.5-flash": { contextWindow: 1_000_000, maxOutput: 65_536 },
	"qwen3.5-plus": { contextWindow: 1_000_000, maxOutput: 65_536 },
	"qwen3-coder-plus": { contextWindow: 1_000_000, maxOutput: 65_536 },
	"qwen3-coder-flash": { contextWindow: 1_000_000, maxOutput: 65_536 },
	"qwen3-max": { contextWindow: 262_144, maxOutput: 65_536 },
	"qwen-flash": { contextWindow: 1_000_000, maxOutput: 32_768 },
};

/** All profiles, the customer's first, `custom` last. */
export const PROFILES: readonly Profile[] = [
	{
		...hosted("dashscope", "Alibaba DashScope (Qwen)", "https://dashscope.aliyuncs.com/compatible-mode/v1"),
		keyVariable: "DASHSCOPE_API_KEY",
		defaultModel: "qwen3.5-flash-2026-02-23",
		models: QWEN_MODELS,
	},
	{
		...hosted(
			"dashscope-intl",
			"Alibaba DashScope, Singapore",
			"https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
		),
		keyVariable: "DASHSCOPE_API_KEY",
		defaultModel: "qwen3.5-flash-2026-02-23",
		models: QWEN_MODELS,
	},
	{
		...hosted("openai", "OpenAI", "https://api.openai.com/v1"),
		keyVariable: "OPENAI_API_KEY",
		models: OPENAI_MODELS,
	},
	{ ...hosted("deepseek", "DeepSeek", "https://api.deepseek.com/v1"), keyVariable: "DEEPSEEK_API_KEY" },
	{
		...hosted("moonshot", "Moonshot (Kimi)", "https://api.moonshot.cn/v1"),
		keyVariable: "MOONSHOT_API_KEY",
		models: {
			"moonshot-v1-128k": { contextWindow: 131_072 },
			"kimi-k2-0905-preview": { contextWindow: 262_144 },
		},
	},
	{
		...hosted("zhipu", "Zhipu (GLM)", "https://open.bigmodel.cn/api/paas/v4"),
		keyVariable: "ZHIPUAI_API_KEY",
		models: { "glm-4.5": { contextWindow: 128_000 }, "glm-4.6": { contextWindow: 200_000 } },
	},
	{
		...hosted("openrouter", "OpenRouter", "https://openrouter.ai/api/v1"),
		keyVariable: "OPENROUTER_API_KEY",
	},
	{
		...hosted("groq", "Groq", "https://api.groq.com/openai/v1"),
		keyVariable: "GROQ_API_KEY",
		models: {
			"llama-3.3-70b-versatile": {
				contextWindow: 131_072,
				maxOutput: 32_768,
				price: { input: 0.59, output: 0.79 },
			},
			"llama-3.1-8b-instant": {
				contextWindow: 131_072,
				maxOutput: 131_072,
				price: { input: 0.05, output: 0.08 },
			},
		},
	},
	{ ...hosted("mistral", "Mistral", "https://api.mistral.ai/v1"), keyVariable: "MISTRAL_API_KEY" },
	{
		...hosted("xai", "xAI", "https://api.x.ai/v1"),
		keyVariable: "XAI_API_KEY",
		models: { "grok-4": { contextWindow: 256_000 }, "grok-code-fast-1": { contextWindow: 256_000 } },
	},
	{ ...hosted("together", "Together AI", "https://api.together.xyz/v1"), keyVariable: "TOGETHER_API_KEY" },
	onThisMachine("ollama", "Ollama", 11434),
	onThisMachine("lmstudio", "LM Studio", 1234),
	onThisMachine("llamacpp", "llama.cpp", 8080),
	onThisMachine("vllm", "vLLM", 8000),
	{ name: "custom", title: "Another OpenAI-compatible server", baseUrl: "", local: false, models: {} },
];

/** The profile whose server a base URL names, by host (and port on this machine); `custom` where none does. */
export function findProfile(baseUrl: string): Profile {
	const host = hostOf(baseUrl);
	const known = PROFILES.find((profile) => profile.baseUrl !== "" && hostOf(profile.baseUrl) === host);
	return known ?? (PROFILES.at(-1) as Profile);
}

/** What is known of a model at a profile's server; an empty object where nothing is. */
export function modelFacts(profile: Profile, model: string): ModelFacts {
	const names = Object.keys(profile.models).filter((name) => isSameFamily(model, name));
	return profile.models[names.sort((a, b) => b.length - a.length)[0] ?? ""] ?? {};
}

/** Families by name, whichever server has them; the first that fits counts. */
const IMAGE_FAMILIES: readonly (readonly [RegExp, boolean])[] = [
	[
		/embed|rerank|whisper|tts|deepseek|qwen-?3-(coder|max)|grok-code|codestral|gpt-oss|kimi-k2(?!\.[56])/,
		false,
	],
	[/(^|[-_.\d])(vl|vision|v)([-_.:]|$)|llava|pixtral|moondream|minicpm-v|internvl|glm-?4\.?\d?v/, true],
	[
		/(^|\/)(gpt-(5|4\.1|4o)|chatgpt-4o|o3(?!-mini)|o4-mini|claude-|gemini-|gemma-?3(?!.*[-:](270m|1b)))/,
		true,
	],
	[/qwen-?3\.[5-9]|kimi-k2\.[56]|grok-4|llama-?4|mistral-(small-3\.[12]|medium-3)/, true],
	[/qwen|llama|mistral|mixtral|glm|moonshot|phi|gpt-3/, false],
];

/** Whether a model takes images, as far as its name tells; undefined where it does not. */
export function takesImages(model: string): boolean | undefined {
	const name = model.toLowerCase();
	return IMAGE_FAMILIES.find(([family]) => family.test(name))?.[1];
}

/** US dollars that a usage costs. */
export function costOf(usage: Usage, price: Price): number {
	const fresh = usage.inputTokens - usage.cachedInputTokens;
	const cached = usage.cachedInputTokens * (price.cachedInput ?? price.input);
	return (fresh * price.input + cached + usage.outputTokens * price.output) / 1_000_000;
}

/** A dated snapshot has the limits and prices of its family; a name with another word is another model. */
function isSameFamily(model: string, family: string): boolean {
	return (
		model === family || (model.startsWith(family) && /^-(latest|\d{4})/.test(model.slice(family.length)))
	);
}

function hosted(name: string, title: string, baseUrl: string): Profile {
	return { name, title, baseUrl, local: false, models: {} };
}

function onThisMachine(name: string, title: string, port: number): Profile {
	return { name, title, baseUrl: `http://localhost:${port}/v1`, local: true, models: {} };
}

function hostOf(baseUrl: string): string | undefined {
	if (!URL.canParse(baseUrl)) return undefined;
	const { hostname, port } = new URL(baseUrl);
	return /^(127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/.test(hostname)
		? `localhost:${port}`
		: `${hostname}${port && `:${port}`}`;
}

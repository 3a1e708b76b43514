// The environment of every child process: the user's own, without secrets and agi's settings, without what would change
// how agi's children load code, and with everything that could stop to ask a person switched off. Never adds a folder to
// PATH.

/** A variable whose name has one of these anywhere is taken for a secret. */
const SECRET_NAME = /TOKEN|SECRET|KEY|PASS|AUTH|CRED|COOKIE|_PWD$/;
/** Ordinary words that hold one of the above by accident. AUTHORITY and AUTHORIZATION stay secrets. */
const HARMLESS_WORDS =
	/KEYBOARD|KEYMAP|KEYCODE|HOTKEY|MONKEY|TOKENIZER|PASSENGER|BYPASS|COMPASS|PASSIVE|AUTHOR(?!I)/g;
/** Settings of agi itself, and the headers of its collector, which usually hold a key. `OLLAMA_HOST` stays: it is Ollama's
 * own, and its programs need it. */
const OWN_NAME =
	/^(AGI_HOME|LLM_.*|OPENAI_.*|LMNR_.*|EXA_.*|SANDBOX_COMMANDS|MEMORY_EXTRACT_EVERY_N_TURNS|OTEL_EXPORTER_OTLP_(\w+_)?HEADERS)$/;
/** Settings of loaders and shells, and of git, which would act on every command unseen; the colour variables would
 * contradict NO_COLOR. */
const UNWANTED_NAME =
	/^(SSH_AUTH_SOCK|NODE_OPTIONS|LD_.*|DYLD_.*|BASH_ENV|ENV|GIT_.*|FORCE_COLOR|CLICOLOR_FORCE|COLORTERM)$/;
/** Shorter values would match by chance. */
const SECRET_VALUE_MIN = 6;

const ADDED = {
	AGENT: "agi",
	PAGER: "cat",
	GIT_PAGER: "cat",
	GIT_OPTIONAL_LOCKS: "0",
	GIT_TERMINAL_PROMPT: "0",
	GIT_EDITOR: "true",
	GIT_SEQUENCE_EDITOR: "true",
	GIT_ASKPASS: "true",
	EDITOR: "true",
	VISUAL: "true",
	SSH_ASKPASS: "true",
	// "force" would send an empty password again and again; "never" fails at once.
	SSH_ASKPASS_REQUIRE: "never",
	DEBIAN_FRONTEND: "noninteractive",
	NO_COLOR: "1",
	TERM: "dumb",
};

/** Filters `env`; a variable that holds one of `secretValues` goes too, whatever its name. */
export function childEnvironment(
	env: Readonly<Record<string, string | undefined>>,
	secretValues: readonly string[],
): Record<string, string> {
	const secrets = secretValues.filter((secret) => secret.length >= SECRET_VALUE_MIN);
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) {
		if (value === undefined || isUnwanted(name)) continue;
		if (secrets.some((secret) => value.includes(secret))) continue;
		kept[name] = value;
	}
	return { ...kept, ...ADDED };
}

function isUnwanted(name: string): boolean {
	const upper = name.toUpperCase();
	return (
		OWN_NAME.test(upper) || UNWANTED_NAME.test(upper) || SECRET_NAME.test(upper.replace(HARMLESS_WORDS, ""))
	);
}

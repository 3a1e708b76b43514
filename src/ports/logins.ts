// What agi needs to let a person choose a provider: who there is, who answers, a test, and a place for key and choice.

/** A provider that can be chosen. */
export interface LoginProfile {
	name: string;
	title: string;
	/** Empty for `custom`. */
	baseUrl: string;
	/** Runs on the person's machine and needs no key. */
	local: boolean;
	keyVariable?: string;
	defaultModel?: string;
}

/** A server to ask. Without `baseUrl` the profile's own address; without `apiKey` the one that is set or stored. */
export interface LoginServer {
	profile: string;
	baseUrl?: string;
	apiKey?: string;
}

/** A provider with the model that is to answer. */
export interface Login extends LoginServer {
	model: string;
}

/** Done, or a sentence that holds no key. `refused`: the server did not take the key, or wants one. */
export type LoginResult<V> = { ok: true; value: V } | { ok: false; message: string; refused: boolean };

/** Never rejects. A key goes to the server it is for and into the credentials file, nowhere else. */
export interface Logins {
	profiles(): LoginProfile[];
	/** Servers that answer on this machine within 300 ms. */
	findLocal(): Promise<{ profile: string; title: string; baseUrl: string; models: string[] }[]>;
	/** The models that a server lists. */
	models(server: LoginServer): Promise<LoginResult<string[]>>;
	/** One tiny request; resolves with its time in milliseconds. */
	test(login: Login): Promise<LoginResult<number>>;
	/** Stores the key (mode 0600) and the choice; resolves with what the person should know. */
	save(login: Login): Promise<LoginResult<string[]>>;
}

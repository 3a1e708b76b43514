/** A cache that forgets what was not used for longest. */
export function createLru<T>(capacity: number) {
	const entries = new Map<string, T>();
	return {
		get(key: string): T | undefined {
			const value = entries.get(key);
			if (!entries.delete(key)) return undefined;
			entries.set(key, value as T);
			return value;
		},
		set(key: string, value: T): void {
			entries.delete(key);
			if (entries.size >= capacity) entries.delete(entries.keys().next().value as string);
			entries.set(key, value);
		},
		keys: (): string[] => [...entries.keys()],
	};
}

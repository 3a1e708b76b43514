/** A cache that forgets what was not used for longest. */
export function createLru<T>(capacity: number) {
	const entries = new Map<string, T>();
	return {
		get: (key: string): T | undefined => entries.get(key),
		set(key: string, value: T): void {
			if (entries.size >= capacity) entries.delete(entries.keys().next().value as string);
			entries.set(key, value);
		},
		keys: (): string[] => [...entries.keys()],
	};
}

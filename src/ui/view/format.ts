// Numbers as a person reads them at a glance: times, tokens, money, counts.

/** Milliseconds: `0.3 s`, `12 s`, `2 m 05 s`, `1 h 10 m`. */
export function formatDuration(milliseconds: number): string {
	const ms = Math.max(0, milliseconds);
	if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
	const seconds = Math.round(ms / 1000);
	if (seconds < 60) return `${seconds} s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return `${minutes} m ${String(seconds % 60).padStart(2, "0")} s`;
	return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} m`;
}

/** Milliseconds that still run, in whole seconds, so that they do not flicker. */
export function formatElapsed(milliseconds: number): string {
	const seconds = Math.max(0, Math.floor(milliseconds / 1000));
	return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000);
}

/** Tokens: `950`, `12.3k`, `1.2M`. */
export function formatTokens(tokens: number): string {
	if (tokens < 1000) return String(Math.round(tokens));
	if (tokens < 999_950) return `${trimZero((tokens / 1000).toFixed(1))}k`;
	return `${trimZero((tokens / 1_000_000).toFixed(1))}M`;
}

/** US dollars; small sums keep two digits that count. Empty where the price is unknown or nothing was spent. */
export function formatCost(usd: number | null): string {
	if (usd === null || usd <= 0) return "";
	if (usd >= 0.1) return `$${usd.toFixed(2)}`;
	return usd < 0.0001 ? "<$0.0001" : `$${usd.toFixed(4)}`;
}

/** `1 line`, `1,990 lines`. */
export function countOf(count: number, noun: string): string {
	const shown = String(count).replace(/\B(?=(\d{3})+$)/g, ",");
	return `${shown} ${noun}${count === 1 ? "" : "s"}`;
}

/** Percent of the window that the context takes, whole, 0 to 100; 0 where the window is unknown. */
export function percentOf(tokens: number, window: number): number {
	return window > 0 ? Math.min(100, Math.round((tokens / window) * 100)) : 0;
}

/** How full the window is, such as `12% of 128k`; `≈` before an estimate. */
export function meterText(meter: { tokens: number; window: number; estimated?: boolean }): string {
	const share = `${percentOf(meter.tokens, meter.window)}% of ${formatTokens(meter.window)}`;
	return meter.estimated && meter.tokens > 0 ? `≈${share}` : share;
}

function trimZero(text: string): string {
	return text.replace(/\.0$/, "");
}

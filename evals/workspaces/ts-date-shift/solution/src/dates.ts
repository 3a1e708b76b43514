/** The ISO day of a date in UTC. Months count from 1. */
export function isoDay(year: number, month: number, day: number): string {
	return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

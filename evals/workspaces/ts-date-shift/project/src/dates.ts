/** The ISO day of a date in UTC. Months count from 1. */
export function isoDay(year: number, month: number, day: number): string {
	// Dates are made in local time; the tests once failed in winter because of that.
	return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}

export interface Item {
	price: number;
	count: number;
}

/** The total in euros, with two decimals. */
export function total(items: readonly Item[]): number {
	return items.reduce((sum, { price, count }) => sum + price * count, 0);
}

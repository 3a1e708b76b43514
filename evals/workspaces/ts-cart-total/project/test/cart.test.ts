import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/cart.ts";
import { euros } from "../src/format.ts";

test("adds prices without losing cents", () => {
	assert.equal(total([{ price: 0.1, count: 3 }]), 0.3);
	assert.equal(total([{ price: 19.99, count: 3 }, { price: 0.01, count: 1 }]), 59.98);
	assert.equal(euros(total([])), "0.00 EUR");
});

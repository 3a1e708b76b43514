import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		environment: "node",
		include: ["tests/**/*.test.{ts,tsx}"],
		testTimeout: 30_000,
		hookTimeout: 60_000,
		env: { FORCE_COLOR: "0", NO_COLOR: "1" },
	},
});

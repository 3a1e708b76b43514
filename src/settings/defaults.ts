// What holds where nobody sets it. A key that is not here has no value of its own: it is no limit, or is worked out from
// the model.

/** The default of each dotted key that has one. */
export const SETTING_DEFAULTS = {
	permissionMode: "default",
	"limits.stepsPerTurn": 500,
	"limits.toolCallsPerTurn": 500,
	"limits.toolSeconds": 600,
	"sandbox.mode": "auto",
	"sandbox.required": false,
	"sandbox.network": false,
	"sandbox.image": "node:20-slim",
	"compaction.threshold": 0.8,
	"compaction.minGain": 0.1,
	"memory.extractEveryTurns": 3,
} as const;

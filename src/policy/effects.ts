// The three things a rule may do. Alone in a file, so that the command line can name them without loading the rules.

/** What a rule does with a call that it matches; later ones beat earlier ones. */
export const EFFECTS = ["allow", "ask", "deny"] as const;
export type Effect = (typeof EFFECTS)[number];

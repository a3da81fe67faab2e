/** What becomes of a message that arrives while its session works. */
export const queueModes = ["follow_up", "steer", "interrupt", "collect"] as const;
export type QueueMode = (typeof queueModes)[number];

/** Characters of one message, and of all that are joined for one run. */
export const longestText = 200_000;

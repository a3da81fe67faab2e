/** What a client may say it is. It stands in approvals, audit and journal, and gives no other rights. */
export const clients = ["cli", "tui", "api"] as const;
export type Client = (typeof clients)[number];

/** What is done about a conversation that outgrows what its model is shown. */
export const contextStrategies = ["summarize", "truncate_old", "error"] as const;
export type ContextStrategy = (typeof contextStrategies)[number];

export type ContextSettings = {
  readonly strategy: ContextStrategy;
  /** Tokens that a conversation may have, with all that goes along. */
  readonly maxTokens: number;
  /** Whether conversations that end leave a short account in memory. */
  readonly episodes: boolean;
};

/** What was said in an agent's conversations before the run that looks back: so much of it as that run's own conversation may see. */
export type Conversations = {
  /** Tells `see` one message after another, newest first, until it has seen enough (false) or looking further would be too much.
   *  Resolves with whether nothing was left.
   *  Rejects with an AgentError and nothing else: `activity.aborted` (`signal` fired), `store.unavailable`. */
  lookBack(see: (said: Said) => boolean, signal: AbortSignal): Promise<boolean>;
};

/** A message's text, without thoughts, calls and what tools answered. */
export type Said = {
  readonly session_id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly at: number;
};

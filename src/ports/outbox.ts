/** Messages to people over channels. */
export type Outbox = {
  /** Takes it over for good; from then on it is a delivery. A second time under the same key it is the same message.
   *  @throws AgentError connector.not_found, store.unavailable */
  post(message: OutgoingText, key: string): Promise<void>;
};

/** `scope` is the conversation's, as `chat[/topic]`. */
export type OutgoingText = {
  readonly connector: string;
  readonly scope: string;
  readonly text: string;
};

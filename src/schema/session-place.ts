/** Who talks to whom, where: what makes a conversation the same one. */
export type SessionPlace = {
  readonly channel_type: string;
  readonly connector_id: string;
  readonly conversation_scope: string;
  readonly user_scope: string;
  readonly agent_id: string;
};

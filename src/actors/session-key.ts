/** Who talks to whom, where: what makes a conversation the same one. */
export type SessionPlace = {
  readonly channel_type: string;
  readonly connector_id: string;
  readonly conversation_scope: string;
  readonly user_scope: string;
  readonly agent_id: string;
};

/** `channel_type:connector_id:conversation_scope:user_scope:agent_id`, each percent-encoded, so that `/` and `:` only separate. */
export function sessionKey(place: SessionPlace): string {
  const { channel_type, connector_id, conversation_scope, user_scope, agent_id } = place;
  return [channel_type, connector_id, conversation_scope, user_scope, agent_id]
    .map(encodeURIComponent)
    .join(":");
}

export function sessionAddress(key: string): string {
  return `session/${key}`;
}

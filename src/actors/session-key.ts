import type { SessionPlace } from "../schema/session-place.ts";

/** `channel_type:connector_id:conversation_scope:user_scope:agent_id`, each percent-encoded, so that `/` and `:` only separate. */
export function sessionKey(place: SessionPlace): string {
  const { channel_type, connector_id, conversation_scope, user_scope, agent_id } = place;
  return [channel_type, connector_id, conversation_scope, user_scope, agent_id]
    .map(encodeURIComponent)
    .join(":");
}

/** What `sessionKey` was made of; of any other text, what can be read as that. */
export function placeIn(key: string): SessionPlace {
  const [
    channel_type = "",
    connector_id = "",
    conversation_scope = "",
    user_scope = "",
    agent_id = "",
  ] = key.split(":").map(decoded);
  return { channel_type, connector_id, conversation_scope, user_scope, agent_id };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function sessionAddress(key: string): string {
  return `session/${key}`;
}

/** The key in a session's address. */
export function keyIn(address: string): string {
  return address.slice("session/".length);
}

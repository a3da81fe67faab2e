/** A conversation as the outside names it; its scope is our name of it, `id[/topic]`. No id of a webhook holds a slash. */
export type WebhookConversation = { readonly id: string; readonly topic?: string | undefined };

export function scopeOf({ id, topic }: WebhookConversation): string {
  return topic === undefined ? id : `${id}/${topic}`;
}

export function conversationIn(scope: string): WebhookConversation {
  const [id = "", topic] = scope.split("/");
  return topic === undefined ? { id } : { id, topic };
}

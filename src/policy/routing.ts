/** Where a message comes from; a binding may name any of these. */
export type MessagePlace = {
  readonly channel_type: string;
  readonly connector_id: string;
  readonly conversation_scope: string;
  readonly user_scope: string;
};

export type Binding = {
  /** Null matches all. */
  readonly match: { readonly [key in keyof MessagePlace]: string | null };
  readonly agent: string;
};

export type Routing = { readonly default_agent: string; readonly bindings: readonly Binding[] };

/** `binding` is the place in the list; null: the default agent. */
export type Route = { readonly agent: string; readonly binding: number | null };

const keys = ["channel_type", "connector_id", "conversation_scope", "user_scope"] as const;

/** Who answers a message that names no agent: of the bindings that match, the one that names most keys; of equals, the first. */
export function routeMessage(place: MessagePlace, { bindings, default_agent }: Routing): Route {
  let best: Route = { agent: default_agent, binding: null };
  let most = -1;
  for (const [index, { match, agent }] of bindings.entries()) {
    const named = keys.filter((key) => match[key] !== null);
    if (named.length <= most || named.some((key) => match[key] !== place[key])) continue;
    most = named.length;
    best = { agent, binding: index };
  }
  return best;
}

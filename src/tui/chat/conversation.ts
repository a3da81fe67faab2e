/** Who talks with whom in the chat. */
export type Conversation = {
  /** Undefined: whoever the bindings lead to. */
  readonly agent?: string | undefined;
  /** Its name. */
  readonly session: string;
};

/** Of the command line too, so that one goes on in the other. */
export const usualSession = "cli";

/** As sessions are keyed: `channel:connector:name:person:agent`, each percent-encoded. */
export function keyOf({ agent = "", session = usualSession }: Partial<Conversation>): string {
  return ["local", "local", session, "owner", agent].map(encodeURIComponent).join(":");
}

/** Undefined for a conversation of another channel, which cannot be talked in from here. */
export function conversationIn(key: string): Conversation | undefined {
  const [channel, connector, session, person, agent = ""] = key.split(":").map(decoded);
  if (channel !== "local" || connector !== "local" || person !== "owner") return undefined;
  if (session === undefined || session === "") return undefined;
  return { session, ...(agent === "" ? {} : { agent }) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

import type { InboundUpdate, InboundWhat, Sender } from "../schema/inbound.ts";
import { isWellFormed } from "../schema/text/well-formed.ts";
import type { AdmittedWhat, Doorway, RefusalReason } from "./judged.ts";

/** Who somebody is to a channel: by their number there alone, never by a name. */

type Said = Extract<InboundWhat, { readonly kind: "message" | "edit" }>;

export type Standing =
  | { readonly kind: "known"; readonly sender: string; readonly what: AdmittedWhat }
  | { readonly kind: "overheard"; readonly verdict: "other" | "not_addressed" }
  | { readonly kind: "moved"; readonly group: string; readonly to: string }
  | Stranger;

export type Stranger = {
  readonly kind: "stranger";
  /** A person, or the group that was not listed; undefined: nobody that has a number. */
  readonly party: string | undefined;
  readonly reason: RefusalReason;
  readonly mayPair: boolean;
};

export type Entrance = {
  readonly doorway: Doorway;
  /** Whether the owner has let this person in for private conversations. */
  readonly isPaired: (user: string) => boolean;
};

export function standingOf(update: InboundUpdate, entrance: Entrance): Standing {
  const { sender, conversation, what } = update;
  if (what.kind === "unreadable" || !isWhole(update))
    return stranger("unreadable", sender?.id ?? conversation?.chat);
  const unheard = unheardIn(update, entrance.doorway);
  if (unheard !== undefined) return unheard;
  if (sender === null) return stranger("no_sender", conversation?.chat);
  const refusal = refusalOf(sender, update, entrance);
  if (refusal !== undefined) return refusal;
  if (what.kind === "other" || what.kind === "moved")
    return { kind: "overheard", verdict: "other" };
  return { kind: "known", sender: sender.id, what };
}

/** In some places nobody is heard, and in groups only what is said to the bot. */
function unheardIn({ conversation, what }: InboundUpdate, doorway: Doorway): Standing | undefined {
  if (conversation?.kind === "broadcast") return stranger("no_sender", conversation.chat);
  if (conversation?.kind !== "group") return undefined;
  if (!doorway.groups.includes(conversation.chat))
    return stranger("group_not_allowed", conversation.chat);
  if (what.kind === "moved")
    return doorway.groups.includes(what.to)
      ? { kind: "overheard", verdict: "other" }
      : { kind: "moved", group: conversation.chat, to: what.to };
  if (!isSaid(what) || what.is_addressed) return undefined;
  return { kind: "overheard", verdict: "not_addressed" };
}

function refusalOf(
  { id, is_bot }: Sender,
  { conversation, what }: InboundUpdate,
  { doorway, isPaired }: Entrance,
): Stranger | undefined {
  if (is_bot) return stranger("bot", id);
  const isPrivate = conversation?.kind === "private";
  if (doorway.allow_users.includes(id) || (isPrivate && isPaired(id))) return undefined;
  if (what.kind === "button" && doorway.approvers.includes(id)) return undefined;
  const mayPair = isPrivate && what.kind === "message" && doorway.pairing;
  return { ...stranger("not_allowed", id), mayPair };
}

function stranger(reason: RefusalReason, party: string | undefined): Stranger {
  const named = party !== undefined && isWellFormed(party) ? party : undefined;
  return { kind: "stranger", party: named, reason, mayPair: false };
}

export function isSaid(what: InboundWhat): what is Said {
  return what.kind === "message" || what.kind === "edit";
}

/** The message that was sent, changed or tapped on. */
export function messageIn(what: InboundWhat): string | null {
  return "message_id" in what ? what.message_id : null;
}

/** What an agent is told was said somewhere; and half a character in an id could be written into no address. */
function isWhole({ update_id, conversation, sender, what }: InboundUpdate): boolean {
  if (conversation === null && what.kind !== "other") return false;
  const ids = [update_id, conversation?.chat, conversation?.scope, sender?.id];
  return ids.every((id) => id === undefined || isWellFormed(id));
}

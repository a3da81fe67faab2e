import { routeMessage } from "../policy/routing.ts";
import { chosenAgentTable } from "../schema/rows/channel-rows.ts";
import type { InboundPlace, InboundUpdate } from "../schema/inbound.ts";
import { longestText } from "../schema/queue.ts";
import { type Desk, keepUpdate, traceOf, type Writer } from "./desk.ts";
import { emptyWord, floodWord, tooLongWord } from "./gateway-words.ts";
import type { AdmittedWhat, RateLimit } from "./judged.ts";
import { isSaid } from "./standing.ts";
import { hasToken, isDue, msUntilToken, takeToken } from "./token-bucket.ts";
import { personName } from "../policy/person-name.ts";

/** What a person who may write, or tap, has done: within limits it is admitted. */

const minuteMs = 60_000;
/** Of taps and stops, for each message that a person may send. */
const urgentShare = 5;
const allOwner = "*";

type Known = { readonly sender: string; readonly what: AdmittedWhat };

export function judgeKnown(desk: Desk, update: InboundUpdate, { sender, what }: Known): void {
  const { conversation } = update;
  if (conversation === null || conversation.kind === "broadcast") return;
  const trace_id = traceOf(desk.settings.doorway.connector_id, update);
  const writer = {
    user: sender,
    isUrgent: waitsForNothing(what),
    scope: conversation.scope,
    reply_to: isSaid(what) ? what.message_id : null,
    trace_id,
  };
  if (!isWithinLimits(desk, writer)) return refuseForNow(desk, update, writer);
  const flaw = flawOf(what);
  if (flaw !== undefined) {
    const { scope, reply_to } = writer;
    desk.words.push({ scope, text: flaw.word, reply_to, trace_id });
    return keepUpdate(desk, update, flaw.reason);
  }
  const place = placeOf(desk, writer);
  desk.admitted.push({ place, conversation: conversation.kind, what });
  keepUpdate(desk, update, "accepted");
}

/** Taps and stops do not wait behind messages: a person can always stop what runs. */
function waitsForNothing(what: AdmittedWhat): boolean {
  if (what.kind === "message") return what.command?.name === "stop";
  return what.kind === "button" || what.kind === "stop";
}

function ownerOf({ settings }: Desk, { user, isUrgent }: Writer): string {
  const owner = `${settings.doorway.connector_id}/${encodeURIComponent(user)}`;
  return isUrgent ? `${owner}/urgent` : owner;
}

function limitOf({ settings: { per_user } }: Desk, { isUrgent }: Writer): RateLimit {
  if (!isUrgent) return per_user;
  return {
    capacity: per_user.capacity * urgentShare,
    refill_per_minute: per_user.refill_per_minute * urgentShare,
  };
}

/** The person's own bucket comes first, so that one who floods uses up nothing of what is there for all. */
function isWithinLimits(desk: Desk, writer: Writer): boolean {
  const { buckets, settings } = desk;
  const own = buckets.of(ownerOf(desk, writer), limitOf(desk, writer));
  const all = buckets.of(allOwner, settings.all);
  desk.writers.set(own.owner, writer);
  if (!hasToken(own) || (!writer.isUrgent && !hasToken(all))) return false;
  buckets.put(takeToken(own));
  if (!writer.isUrgent) buckets.put(takeToken(all));
  return true;
}

/** Of a flood, no more rows are kept in a minute than a person may send at once; the rest is only counted. */
function refuseForNow(desk: Desk, update: InboundUpdate, writer: Writer): void {
  const limit = limitOf(desk, writer);
  const own = desk.buckets.of(ownerOf(desk, writer), limit);
  if (own.refused < limit.capacity) keepUpdate(desk, update, "rate_limited");
  desk.buckets.put({ ...own, refused: own.refused + 1 });
}

/** Whoever was refused something hears it at most once a minute, as the audit does. */
export function tellFloods(desk: Desk): void {
  const { buckets, settings, at } = desk;
  for (const [owner, writer] of desk.writers) {
    const limit = limitOf(desk, writer);
    const own = buckets.of(owner, limit);
    if (own.refused === 0 || !isDue(own, at, minuteMs)) continue;
    const all = buckets.of(allOwner, settings.all);
    const waitMs = msUntilToken(own, limit);
    const waitAllMs = writer.isUrgent ? 0 : msUntilToken(all, settings.all);
    const { user, scope, reply_to, trace_id } = writer;
    const text = floodWord(own.refused, Math.max(waitMs, waitAllMs));
    desk.words.push({ scope, text, reply_to, trace_id });
    const by = personName(settings.doorway.connector_id, user);
    desk.refusals.push({ by, reason: "rate_limited", count: own.refused, trace: trace_id });
    buckets.put({ ...own, refused: 0, told_at: at });
  }
}

type Flaw = { readonly reason: "empty" | "too_long"; readonly word: string };

function flawOf(what: AdmittedWhat): Flaw | undefined {
  if (!isSaid(what)) return undefined;
  const { text, attachments, command } = what;
  if (text.length > longestText)
    return { reason: "too_long", word: tooLongWord(text.length, longestText) };
  const isEmpty = text.trim() === "" && attachments.length === 0 && command === null;
  return isEmpty ? { reason: "empty", word: emptyWord } : undefined;
}

/** The agent that the person chose, while it is offered; else the one that the routing leads to. */
function placeOf({ read, settings }: Desk, { user, scope, trace_id }: Writer): InboundPlace {
  const { connector_id, channel_type, agents } = settings.doorway;
  const place = {
    channel_type,
    connector_id,
    conversation_scope: scope,
    user_scope: user,
  };
  const chosen = read.get(chosenAgentTable, connector_id, scope, user)?.agent_id;
  const isOffered = chosen !== undefined && agents.includes(chosen);
  const agent_id = isOffered ? chosen : routeMessage(place, settings.routing).agent;
  return { ...place, trace_id, agent_id };
}

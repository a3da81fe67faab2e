import type { InboundUpdate } from "../schema/inbound.ts";
import { type Desk, keepUpdate, traceOf } from "./desk.ts";
import { pairingWord } from "./gateway-words.ts";
import { hourMs, pairingCode } from "./pairing.ts";
import { messageIn, type Stranger } from "./standing.ts";
import { hasToken, isDue, takeToken } from "./token-bucket.ts";
import { personName } from "../policy/person-name.ts";

/** What strangers do leads to nothing but a count, or to a code. All of them together may cost as much as one person who is let in. */

const minuteMs = 60_000;
const noTokens = { capacity: 0, refill_per_minute: 0 };
const nobody = "?";

/** Who was noted is only counted for an hour, and leaves no row: a flood grows nothing. */
export function judgeStranger(desk: Desk, update: InboundUpdate, stranger: Stranger): void {
  const { buckets, settings, at } = desk;
  const { connector_id } = settings.doorway;
  const { party = nobody, reason } = stranger;
  const own = buckets.of(`${strangersOf(desk)}/${encodeURIComponent(party)}`, noTokens);
  const refused = own.refused + 1;
  const isToNote = isDue(own, at, hourMs);
  const asks = stranger.mayPair && desk.pairings.mayAsk(party);
  if ((isToNote || asks) && !takeTokenOfStrangers(desk)) return;
  if (asks) openPairing(desk, update, party);
  if (isToNote || asks) keepUpdate(desk, update, asks ? "pairing" : reason);
  buckets.put(isToNote ? { ...own, refused: 0, told_at: at } : { ...own, refused });
  if (!isToNote) return;
  const trace = traceOf(connector_id, update);
  desk.refusals.push({ by: personName(connector_id, party), reason, count: refused, trace });
}

/** @returns false where there is none: then it is counted among all strangers */
function takeTokenOfStrangers(desk: Desk): boolean {
  const { buckets, settings } = desk;
  const all = buckets.of(strangersOf(desk), settings.per_user);
  const isThere = hasToken(all);
  buckets.put(isThere ? takeToken(all) : { ...all, refused: all.refused + 1 });
  return isThere;
}

function openPairing(desk: Desk, update: InboundUpdate, user_scope: string): void {
  const { connector_id } = desk.settings.doorway;
  const { conversation, sender, what } = update;
  if (conversation === null) return;
  const { scope } = conversation;
  const trace_id = traceOf(connector_id, update);
  const code = pairingCode(connector_id, user_scope, trace_id);
  desk.pairings.add({
    connector_id,
    user_scope,
    name: sender?.name ?? "",
    scope,
    code,
    state: "open",
    created_at: desk.at,
    expires_at: desk.at + hourMs,
    decided_at: null,
    decided_by: null,
  });
  const reply_to = messageIn(what);
  desk.words.push({ scope, text: pairingWord(code), reply_to, trace_id });
}

/** Once a minute: strangers who were too many to be noted one by one.
 *  @param trace of an update that the batch brought */
export function noteCrowd(desk: Desk, trace: string): void {
  const { buckets, settings, at } = desk;
  const all = buckets.of(strangersOf(desk), settings.per_user);
  if (all.refused === 0 || !isDue(all, at, minuteMs)) return;
  buckets.put({ ...all, refused: 0, told_at: at });
  const by = personName(settings.doorway.connector_id, nobody);
  desk.refusals.push({ by, reason: "rate_limited", count: all.refused, trace });
}

function strangersOf({ settings }: Desk): string {
  return `${settings.doorway.connector_id}/?`;
}

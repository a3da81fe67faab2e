import { isAsShown, tappedCard } from "../../actors/channel/intake/intake-button.ts";
import { readTapData, type TapData } from "../../actors/channel/questions/question-buttons.ts";
import { askedIn } from "../../actors/channel/questions/question-places.ts";
import type { ConnectorUpdate, DeliveryRow } from "../../schema/rows/channel-rows.ts";
import type { InboundUpdate, InboundWhat } from "../../schema/inbound.ts";
import type { Approval } from "../../schema/rows/permission-rows.ts";
import { shorten, shown } from "../../text/shown.ts";
import { personName } from "../../policy/person-name.ts";

/** What a tapped button says: how things are after the tap was taken or refused. */

export type Tap = {
  readonly update: InboundUpdate & { readonly what: Extract<InboundWhat, { kind: "button" }> };
  readonly connectorId: string;
  /** When the step took it. */
  readonly at: number;
};

/** The rows as they are after that step. */
export type TapRows = {
  readonly judged: ConnectorUpdate;
  readonly approval: Approval | undefined;
  /** The deliveries that tell of it. */
  readonly deliveries: readonly DeliveryRow[];
  /** What the button would have sent again. */
  readonly missed: DeliveryRow | undefined;
};

/** More is not shown on a button. */
const longestWord = 180;

export function tapWord(tap: Tap, rows: TapRows): string {
  return shorten(wordOf(tap, rows), longestWord);
}

function wordOf(tap: Tap, { judged, approval, deliveries, missed }: TapRows): string {
  if (judged.verdict === "rate_limited") return "Too many taps at once; try again in a moment";
  if (judged.verdict !== "accepted") return "You may not decide this";
  const { what, conversation } = tap.update;
  if (missed !== undefined) return missed.resent_as === null ? "Not sent again" : "Sent again";
  const data = readTapData(what.data);
  const spot = { connector_id: tap.connectorId, scope: conversation?.scope ?? "" };
  const card = tappedCard(deliveries, { ...spot, message_id: what.message_id });
  if (data === undefined || approval === undefined || card === undefined)
    return "This button belongs to no open question";
  return approval.state === "pending"
    ? whyRefused(tap, data, approval)
    : howEnded(tap, data, approval);
}

function whyRefused(tap: Tap, data: TapData, approval: Approval): string {
  const { deciders } = askedIn(approval);
  if (!deciders.includes(tap.update.sender?.id ?? "")) return onlyOthers(deciders);
  if (tap.at >= approval.expires_at) return "No longer open: its time is over";
  if (!isAsShown(data, approval)) return "This question has changed; look at the newest card";
  return `Not taken; try again, or use \`statehive approvals show ${approval.approval_id}\``;
}

function onlyOthers(deciders: readonly string[]): string {
  return deciders.length === 0
    ? "Only the owner may decide this, at the machine"
    : `Only ${deciders.join(", ")} may decide this`;
}

function howEnded(tap: Tap, data: TapData, approval: Approval): string {
  const { state, decided_by, answer, scope } = approval;
  if (isOwn(tap, data, approval)) {
    if (state === "denied") return "Denied";
    if (state === "answered") return `Answered: ${shown(answer)}`;
    return scope === "session" ? "Allowed for this session" : "Allowed once";
  }
  if (state === "expired") return "No longer open: nobody answered in time";
  if (state === "cancelled") return "No longer open: what it was about has ended";
  const isSame = decided_by === nameOf(tap);
  return `No longer open: ${state} by ${isSame ? "you" : shown(decided_by)}`;
}

/** This very tap has decided it, or the same answer of the same person in the same moment. */
function isOwn(tap: Tap, { answer: tapped }: TapData, approval: Approval): boolean {
  const { state, decided_by, decided_at, answer, options } = approval;
  if (decided_by !== nameOf(tap) || decided_at !== tap.at) return false;
  if (state === "approved") return tapped === "o" || tapped === "s";
  if (state === "denied") return tapped === "d";
  return state === "answered" && answer === options[Number(tapped)];
}

function nameOf({ connectorId, update }: Tap): string {
  return personName(connectorId, update.sender?.id ?? "");
}

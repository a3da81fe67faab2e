import type { CommittedReader, RowReader } from "../../../ports/store.ts";
import { type DeliveryRow, deliveryTable } from "../../../schema/rows/channel-rows.ts";
import type { SendParams } from "../../../schema/effect.ts";
import { type Approval, approvalTable } from "../../../schema/rows/permission-rows.ts";
import { isLocalSession } from "../../../policy/session-place.ts";
import { dueIn } from "../sending/announce.ts";
import type { Channels } from "../channels.ts";
import { withThoseNamedStill } from "./named-still.ts";
import { askedIn } from "./question-places.ts";
import { cardsAt, deliveriesAbout, type Spot } from "./question-rows.ts";

/** Questions that are put again, where the newest word is: as a new card, and the older one points to it. */

const notBeforeMs = 60_000;

/** @returns nothing where it has just been posted, or is on its way */
export function askAgain(
  read: RowReader,
  approval: Approval,
  { at, ...spot }: Spot & { readonly at: number },
): readonly SendParams[] {
  const cards = cardsAt(deliveriesAbout(read, approval.approval_id), spot);
  const newest = cards.at(-1);
  return newest !== undefined && isFresh(newest, at) ? [] : postedAgain(approval, newest, spot);
}

function isFresh({ created_at }: DeliveryRow, at: number): boolean {
  return at - created_at < notBeforeMs;
}

/** All that people in channels still have to answer, wherever it was posted, after the service was away; not what they have had for
 *  less than a minute, so that a service which starts again and again does not flood them. */
export async function repostQuestions(
  read: CommittedReader,
  channels: Pick<Channels, "settings">,
  at: number,
): Promise<readonly SendParams[]> {
  const open = await read.select(approvalTable, { index: "by_state", equals: ["pending"] });
  const inChannels = open.filter(({ address }) => !isLocalSession(address));
  const about = inChannels.map(async (approval) => {
    const { approval_id } = approval;
    const rows = await read.select(deliveryTable, { index: "by_about", equals: [approval_id] });
    return placesOf(withThoseNamedStill(channels, approval)).flatMap((spot) => {
      const newest = cardsAt(rows, spot).at(-1);
      const isThere = newest?.state === "delivered" && isFresh(newest, at);
      return isThere ? [] : postedAgain(approval, newest, spot);
    });
  });
  return (await Promise.all(about)).flat();
}

/** Of what several messages at once led to, each card but once. */
export function withoutRepeats(sent: readonly SendParams[]): readonly SendParams[] {
  const seen = new Set<string>();
  return sent.filter(({ to, event }) => {
    if (event.type !== "delivery.due" || event["kind"] === "notice") return true;
    const card = JSON.stringify([to, event]);
    return !seen.has(card) && seen.add(card);
  });
}

/** Every conversation in which a question is put. */
export function placesOf(approval: Approval): readonly Spot[] {
  const { home, elsewhere } = askedIn(approval);
  const { connector_id } = home;
  return [home.conversation_scope, ...elsewhere].map((scope) => ({ connector_id, scope }));
}

function postedAgain(
  { approval_id: about }: Approval,
  newest: DeliveryRow | undefined,
  { connector_id, scope }: Spot,
): readonly SendParams[] {
  if (newest?.open === 1) return [];
  const [edits] = newest?.message_ids ?? [];
  return [
    dueIn(connector_id, scope, { kind: "question", about }),
    ...(edits === undefined ? [] : [dueIn(connector_id, scope, { kind: "outcome", about, edits })]),
  ];
}

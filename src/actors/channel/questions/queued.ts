import type { Lookup } from "../../../engine/engine.ts";
import type { RowReader } from "../../../ports/store.ts";
import { type Approval } from "../../../schema/rows/permission-rows.ts";
import { inboxTable } from "../../../schema/rows/session-rows.ts";
import { keyIn } from "../../session-key.ts";
import { dueIn, placeOf } from "../sending/announce.ts";
import { deliveriesAbout, openQuestions, type Spot } from "./question-rows.ts";
import { askAgain } from "./repost.ts";

const notBeforeMs = 60_000;
const mostAskedAgain = 5;

/** Only whose message waits for a person's word learns at once why nothing happens, and no more than once a minute. */
export const tellQueued: Lookup = (read, { session_address, mode }, { at }) => {
  const place = placeOf(session_address);
  const open = openQuestions(read, keyIn(session_address as string)).slice(0, mostAskedAgain);
  const [first] = open;
  if (first === undefined || mode === "interrupt") return [];
  const spot = { connector_id: place.connector_id, scope: place.conversation_scope };
  if (cameTogether(read, session_address as string, at)) return [];
  if (wasJustTold(read, first, { ...spot, at })) return [];
  const about = first.approval_id;
  const text = `I have your message. It waits until ${namesOf(open)} answered; /stop stops what runs instead.`;
  return [
    dueIn(spot.connector_id, spot.scope, { kind: "notice", about, text }),
    ...open.flatMap((approval) => askAgain(read, approval, { ...spot, at })),
  ];
};

/** With another one, in the same transaction: what that one led to is not in rows yet. */
function cameTogether(read: RowReader, owner: string, at: number): boolean {
  return (
    read
      .select(inboxTable, { index: "by_owner", equals: [owner] })
      .filter((message) => message.at === at).length > 1
  );
}

type Moment = Spot & { readonly at: number };

function wasJustTold(read: RowReader, { approval_id }: Approval, { at, ...spot }: Moment): boolean {
  return deliveriesAbout(read, approval_id).some(
    ({ kind, connector_id, scope, created_at }) =>
      kind === "notice" &&
      connector_id === spot.connector_id &&
      scope === spot.scope &&
      at - created_at < notBeforeMs,
  );
}

/** `a7 is`, `a7, a9 are` */
function namesOf(open: readonly Approval[]): string {
  const names = open.map(({ approval_id }) => approval_id).join(", ");
  return `${names} ${open.length === 1 ? "is" : "are"}`;
}

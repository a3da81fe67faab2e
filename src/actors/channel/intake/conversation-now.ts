import { actorTable } from "../../../engine/tables.ts";
import type { RowReader } from "../../../ports/store.ts";
import { type Approval, approvalTable } from "../../../schema/rows/permission-rows.ts";
import { type Run, runTable } from "../../../schema/rows/run-rows.ts";
import { inboxTable, type Session, sessionTable } from "../../../schema/rows/session-rows.ts";
import type { SessionPlace } from "../../../schema/session-place.ts";
import { sessionAddress, sessionKey } from "../../session-key.ts";
import type { Intake } from "./intake-parts.ts";
import { withThoseNamedStill } from "../questions/named-still.ts";
import type { Spot } from "../questions/question-rows.ts";
import { placesOf } from "../questions/repost.ts";

/** What goes on in a conversation, as the rows of this transaction say. */
export type ConversationNow = {
  readonly address: string;
  /** Undefined: none is open. */
  readonly session: Session | undefined;
  /** A fault set it aside: it takes nothing any more until its owner resets it. */
  readonly isSetAside: boolean;
  /** The run that has not ended. */
  readonly run: Run | undefined;
  /** Of the run's actor. */
  readonly runState: string;
  /** Messages that wait for their turn. */
  readonly queued: number;
};

export function conversationNow(read: RowReader, place: SessionPlace): ConversationNow {
  const key = sessionKey(place);
  const address = sessionAddress(key);
  const newest = { descending: true, limit: 1 };
  const [last] = read.select(sessionTable, { index: "by_key", equals: [key], ...newest });
  const session = last?.state === "open" ? last : undefined;
  const run = session === undefined ? undefined : presentRun(read, session);
  return {
    address,
    session,
    isSetAside: read.get(actorTable, address)?.status === "quarantined",
    run,
    runState: run === undefined ? "" : (read.get(actorTable, run.address)?.state ?? ""),
    queued: read.select(inboxTable, { index: "by_owner", equals: [address] }).length,
  };
}

function presentRun(read: RowReader, { session_id }: Session): Run | undefined {
  const [run] = read.select(runTable, {
    index: "by_session",
    equals: [session_id],
    descending: true,
    limit: 1,
  });
  return run?.state === null ? run : undefined;
}

/** Questions that are put in one conversation and wait, whoever's session they are of, the oldest first. */
export function openQuestionsIn(
  { read, channels }: Pick<Intake, "read" | "channels">,
  { connector_id, conversation_scope }: SessionPlace,
): readonly Approval[] {
  const isHere = (spot: Spot) =>
    spot.connector_id === connector_id && spot.scope === conversation_scope;
  return read
    .select(approvalTable, { index: "by_state", equals: ["pending"] })
    .filter((approval) => placesOf(withThoseNamedStill(channels, approval)).some(isHere));
}

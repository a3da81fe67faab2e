import type { RowReader } from "../ports/store.ts";
import type { InboundUpdate, InboundWhat } from "../schema/inbound.ts";
import { connectorUpdateTable } from "../schema/rows/channel-rows.ts";
import { isStoreFault } from "../schema/errors.ts";
import { faultReason } from "./fault-reason.ts";
import { type Desk, keepUpdate, openDesk, traceOf } from "./desk.ts";
import { judgeKnown, tellFloods } from "./judge-known.ts";
import { noteMove } from "./group-moves.ts";
import { judgeStranger, noteCrowd } from "./judge-stranger.ts";
import type { Batch, GatewaySettings, Judged } from "./judged.ts";
import { standingOf } from "./standing.ts";
import { personName } from "../policy/person-name.ts";

const longestCommand = 256;

/** Who may come in, and for whom it is: of each update that was not there before, in the order in which they came.
 *  @param read the rows as they are in the transaction that will keep what is said here */
export function judgeUpdates(
  read: RowReader,
  settings: GatewaySettings,
  { updates, at }: Batch,
): Judged {
  const desk = openDesk(read, settings, at);
  const [first] = updates;
  let judged = 0;
  for (const update of updates) {
    if (mustWait(desk, update)) break;
    if (isNew(desk, update)) judgeSafely(desk, update);
    judged += 1;
  }
  tellFloods(desk);
  if (first !== undefined) noteCrowd(desk, traceOf(settings.doorway.connector_id, first));
  return {
    rest: updates.slice(judged).map(shortened),
    admitted: desk.admitted,
    words: desk.words,
    updates: [...desk.updates.values()],
    buckets: desk.buckets.rows(),
    pairings: desk.pairings.rows(),
    refusals: desk.refusals,
  };
}

/** What speaks of what went before is judged with nothing before it, and what comes after it when it has been obeyed. */
function mustWait({ admitted }: Desk, { what }: InboundUpdate): boolean {
  const last = admitted.at(-1);
  return last !== undefined && (looksBack(what) || looksBack(last.what));
}

/** Those that wait are carried from step to step: a command with no more than any command reads. */
function shortened(update: InboundUpdate): InboundUpdate {
  const { what } = update;
  if (what.kind !== "message" || what.command === null) return update;
  const { name, args } = what.command;
  const command = { name, args: args.slice(0, longestCommand) };
  return { ...update, what: { ...what, text: what.text.slice(0, longestCommand), command } };
}

function looksBack(what: InboundWhat): boolean {
  if (what.kind === "message") return what.command !== null;
  return what.kind === "edit" || what.kind === "stop";
}

function isNew({ read, settings, updates }: Desk, { update_id }: InboundUpdate): boolean {
  if (updates.has(update_id)) return false;
  const { connector_id } = settings.doorway;
  return read.get(connectorUpdateTable, connector_id, update_id) === undefined;
}

/** A fault of ours that one update meets keeps out that one alone; where the store fails, all of them come again. */
function judgeSafely(desk: Desk, update: InboundUpdate): void {
  try {
    judgeOne(desk, update);
  } catch (thrown) {
    if (isStoreFault(thrown)) throw thrown;
    const { connector_id } = desk.settings.doorway;
    const by = personName(connector_id, update.sender?.id ?? "?");
    const trace = traceOf(connector_id, update);
    desk.refusals.push({ by, reason: faultReason(thrown), count: 1, trace });
  }
}

function judgeOne(desk: Desk, update: InboundUpdate): void {
  const isPaired = (user: string) => desk.pairings.isPaired(user);
  const standing = standingOf(update, { doorway: desk.settings.doorway, isPaired });
  switch (standing.kind) {
    case "known":
      return judgeKnown(desk, update, standing);
    case "overheard":
      return keepUpdate(desk, update, standing.verdict);
    case "moved":
      return noteMove(desk, update, standing);
    case "stranger":
      return judgeStranger(desk, update, standing);
  }
}

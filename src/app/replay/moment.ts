import { storedContext } from "../../engine/kernel/actor-state.ts";
import { actorTable } from "../../engine/tables.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { Json, JsonObject } from "../../schema/json.ts";
import type { RunMoment } from "../../schema/shown/replay.ts";
import type { Run } from "../../schema/rows/run-rows.ts";
import { type Message, messageTable } from "../../schema/rows/session-rows.ts";
import { positionOf } from "../../schema/position.ts";
import { recalledBy } from "../records/recalled-by.ts";
import { iso } from "../records/shown.ts";
import { type Cut, cutJson } from "./cut.ts";
import { showFrame } from "./frame.ts";
import type { RecordedRun, ReplayedStep } from "./recorded-run.ts";

/** A run as it was after one of its steps. */

const mostOfPart = 256 * 1024;
const mostMessages = 100;

/** @param recorded taken to that step, if it is not there yet
 *  @returns undefined where the run's journal has no such step */
export async function momentOf(
  read: CommittedReader,
  { run, recorded }: Pick<Reached, "run" | "recorded">,
  seq: number,
): Promise<RunMoment | undefined> {
  for await (const step of recorded.goOn()) {
    if (step.row.seq > seq) return undefined;
    if (step.row.seq === seq) return show(read, { run, recorded, step });
  }
  return undefined;
}

type Reached = {
  readonly run: Run;
  readonly recorded: RecordedRun;
  readonly step: ReplayedStep;
};

async function show(read: CommittedReader, reached: Reached): Promise<RunMoment> {
  const { run, recorded, step } = reached;
  const event = cutJson(step.row.event as JsonObject, mostOfPart);
  const known = await knownThen(read, reached);
  const context = known.context === null ? uncut(null) : cutJson(known.context, mostOfPart);
  const said = await saidUntil(read, run, step.row.seq);
  const { run_id, trace_id } = run;
  const hasAnswered = said.messages.value.some(({ role }) => role === "assistant");
  return {
    run_id,
    trace_id,
    frame: showFrame(step),
    event: event.value,
    actors: recorded.actors,
    value: known.value,
    context: context.value,
    context_unknown: known.why,
    recalled: hasAnswered ? await recalledBy(read, run_id) : [],
    messages: said.messages.value.map(({ role, content, run_id: of, at }) => ({
      role,
      content: content as readonly JsonObject[],
      run_id: of,
      at: iso(at),
    })),
    has_earlier_messages: said.hasEarlier,
    is_cut: event.isCut || context.isCut || said.messages.isCut,
  };
}

const uncut = <T>(value: T): Cut<T> => ({ value, isCut: false });

type KnownThen = Pick<RunMoment, "value" | "context"> & { readonly why: string | null };

/** The rerun knows it; and of an actor's last step its row does. */
async function knownThen(
  read: CommittedReader,
  { recorded, step: { row, verdict } }: Reached,
): Promise<KnownThen> {
  const state = recorded.stateOf(row.address);
  if (state !== undefined) {
    const { value, context } = state.snapshot;
    return { value: value as Json, context: context as JsonObject, why: null };
  }
  const actor = await read.get(actorTable, row.address);
  if (actor !== undefined && actor.seq <= row.seq) {
    const { snapshot } = actor;
    return { value: snapshot.value as Json, context: storedContext(snapshot), why: null };
  }
  const why = verdict.replayed === "unknown" ? verdict.why : "its row is not kept any more";
  return { value: row.state_after, context: null, why };
}

/** Messages have the number of the step that wrote them, times a thousand. */
async function saidUntil(read: CommittedReader, run: Run, seq: number) {
  const said = await read.select(messageTable, {
    index: "by_session",
    equals: [run.session_id],
    from: positionOf(run.seq),
    before: positionOf(seq + 1),
    descending: true,
    limit: mostMessages + 1,
  });
  const own = said.filter(({ run_id }) => run_id === run.run_id);
  const newest = own.slice(0, mostMessages).toReversed();
  return { messages: cutMessages(newest), hasEarlier: said.length > mostMessages };
}

function cutMessages(messages: readonly Message[]): Cut<readonly Message[]> {
  const each = Math.floor((mostOfPart * 2) / Math.max(1, messages.length));
  const cut = messages.map((message) => {
    const content = cutJson(message.content as unknown as Json, each);
    const shown = content.value as unknown as Message["content"];
    return { message: { ...message, content: shown }, isCut: content.isCut };
  });
  return {
    value: cut.map(({ message }) => message),
    isCut: cut.some(({ isCut }) => isCut),
  };
}

import type { MachineRegistry } from "../../engine/machine-registry.ts";
import { journalTable } from "../../engine/tables.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import type { ReplayFrame, ReplayPage } from "../../schema/shown/replay.ts";
import type { Run } from "../../schema/rows/run-rows.ts";
import { findRun } from "../records/find.ts";
import { recalledBy } from "../records/recalled-by.ts";
import { iso } from "../records/shown.ts";
import { stateOfRun } from "../records/state-of-run.ts";
import { showFrame } from "../replay/frame.ts";
import { momentOf } from "../replay/moment.ts";
import { PlacesKept } from "../replay/places-kept.ts";
import { RecordedRun, type Rerunning } from "../replay/recorded-run.ts";
import type { Handlers } from "./caller.ts";

const placesKept = 8;

/** What runs have done, step by step, from the journal. */
export function replayReads(
  read: CommittedReader,
  machines: MachineRegistry,
): Handlers<"runs.replay" | "runs.moment"> {
  const parts: Rerunning = { read, machines };
  const places = new PlacesKept(placesKept);
  const placeFor = (run: Run, upTo: number) =>
    places.take(run.run_id, upTo) ?? new RecordedRun(parts, run);
  return {
    "runs.replay": async ({ id, after_seq, limit }) => {
      const run = await findRun(read, id);
      const place = placeFor(run, after_seq);
      const { frames, isLast } = await framesFrom(place, after_seq, limit);
      places.keep(place);
      return showPage(read, run, { frames, next: isLast ? null : place.reached });
    },
    "runs.moment": async ({ id, seq }) => {
      const run = await findRun(read, id);
      const recorded = placeFor(run, seq - 1);
      const moment = await momentOf(read, { run, recorded }, seq);
      places.keep(recorded);
      if (moment === undefined) throw await noSuchStep(read, run, seq);
      return moment;
    },
  };
}

async function framesFrom(place: RecordedRun, after: number, limit: number) {
  const frames: ReplayFrame[] = [];
  for await (const step of place.goOn()) {
    if (step.row.seq <= after) continue;
    frames.push(showFrame(step));
    if (frames.length === limit) return { frames, isLast: !(await place.hasMore()) };
  }
  return { frames, isLast: true };
}

async function showPage(
  read: CommittedReader,
  run: Run,
  page: Pick<ReplayPage, "frames" | "next">,
): Promise<ReplayPage> {
  const { run_id, trace_id, session_id, agent_id, started_at } = run;
  return {
    run_id,
    trace_id,
    session_id,
    agent_id,
    state: await stateOfRun(read, run),
    started_at: iso(started_at),
    is_pruned: await isPruned(read, run),
    recalled: await recalledBy(read, run_id),
    ...page,
  };
}

async function isPruned(read: CommittedReader, { seq, address }: Run): Promise<boolean> {
  return (await read.get(journalTable, seq))?.address !== address;
}

/** Why a step of that number cannot be gone back to. */
export async function noSuchStep(
  read: CommittedReader,
  run: Run,
  seq: number,
): Promise<AgentError> {
  const hint = { hint: `\`statehive runs replay ${run.run_id}\` shows its steps` };
  return (await isPruned(read, run))
    ? new AgentError(
        "step.not_found",
        `Step ${seq} of ${run.run_id} is not in the journal any more, or never was.`,
        { hint: "`engine.retention.journal_days` in config/main.yaml is how long steps are kept" },
      )
    : new AgentError("step.not_found", `${run.run_id} has no step ${seq}.`, hint);
}

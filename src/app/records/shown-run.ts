import { retriesOf } from "../../actors/usage-ledger.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { addUsage, noUsage } from "../../schema/llm.ts";
import { usageTotalTable } from "../../schema/rows/model-rows.ts";
import type { Run, Step } from "../../schema/rows/run-rows.ts";
import type { ShownRun, ShownStep } from "../../schema/shown/shown.ts";
import { modelCallOf } from "./run-now.ts";
import { iso, isoOrNull } from "./shown.ts";
import { stateOfRun } from "./state-of-run.ts";
import { usageOfRun } from "./usage-of.ts";

export async function showRun(read: CommittedReader, row: Run): Promise<ShownRun> {
  const { started_at, ended_at, seq: _seq, trust: _trust, forgotten_at: _forgotten, ...rest } = row;
  return {
    ...rest,
    usage: await usageOfRun(read, row.run_id, addUsage(noUsage, row.usage)),
    retries: await retriesIn(read, row),
    state: await stateOfRun(read, row),
    started_at: iso(started_at),
    ended_at: isoOrNull(ended_at),
  };
}

/** Those that have ended are in the ledger. */
async function retriesIn(read: CommittedReader, { run_id, state, address }: Run): Promise<number> {
  const ended = (await read.get(usageTotalTable, retriesOf(run_id)))?.calls ?? 0;
  const call = state === null ? await modelCallOf(read, address) : undefined;
  const isRetry = call !== undefined && call.status !== "pending" && call.attempt > 1;
  return ended + (isRetry ? 1 : 0);
}

export function showStep({ started_at, ended_at, ...step }: Step): ShownStep {
  return { ...step, started_at: iso(started_at), ended_at: isoOrNull(ended_at) };
}

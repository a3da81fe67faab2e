import type { ActorState } from "../../engine/kernel/actor-state.ts";
import type { MachineRegistry } from "../../engine/machine-registry.ts";
import { Rerun } from "../../engine/rerun/rerun.ts";
import type { Verdict } from "../../engine/rerun/rerun-verdict.ts";
import { actorTable, type JournalRow, journalTable } from "../../engine/tables.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { ActorThen } from "../../schema/shown/replay.ts";
import type { Run } from "../../schema/rows/run-rows.ts";

/** The journal's rows of one run and of all below it, which bear its trace, run again as they are read. */

export type Rerunning = {
  readonly read: CommittedReader;
  readonly machines: MachineRegistry;
};

export type ReplayedStep = {
  readonly row: JournalRow;
  readonly verdict: Verdict;
  /** What its actor knew before, as the rerun has it. */
  readonly knew: Knowledge | undefined;
};

type Knowledge = { readonly [key: string]: unknown };

const rowsAtOnce = 50;

/** Rows after a step, oldest first, a page at a time, so that a long run costs no more memory than a short one. */
async function* stepsOf(
  read: CommittedReader,
  { address, trace_id }: Pick<Run, "address" | "trace_id">,
  { afterSeq, atOnce = rowsAtOnce }: { readonly afterSeq: number; readonly atOnce?: number },
): AsyncGenerator<JournalRow, void> {
  for (let after = afterSeq; ;) {
    const ofTrace = { index: "by_trace", equals: [trace_id] };
    const rows = await read.select(journalTable, { ...ofTrace, after, limit: atOnce });
    for (const row of rows) if (isWithin(address, row.address)) yield row;
    if (rows.length < atOnce) return;
    after = rows.at(-1)?.seq ?? after;
  }
}

export function isWithin(root: string, address: string): boolean {
  return address === root || address.startsWith(`${root}/`);
}

/** @returns undefined where nobody lived at the address */
function actorAfter(machines: MachineRegistry, row: JournalRow): ActorThen | undefined {
  const { address, machine, state_after: state, seq } = row;
  if (machine === "") return undefined;
  return { address, machine, state, status: statusAfter(machines, row), seq };
}

function statusAfter(machines: MachineRegistry, row: JournalRow): ActorThen["status"] {
  const { event_type, outcome, machine, state_after, reason } = row;
  if (event_type === "actor.retired") return "stopped";
  if (outcome === "dead" && reason?.startsWith("actor.not_found") !== true) return "quarantined";
  const node = machines.get(machine)?.machine.states[state_after ?? ""];
  return node?.type === "final" ? "done" : "active";
}

/** Runs one run again, from its beginning on. */
export class RecordedRun {
  private readonly parts: Rerunning;
  private readonly run: Run;
  private readonly rerun: Rerun;
  private readonly lives = new Map<string, ActorThen>();
  private last: number;

  constructor(parts: Rerunning, run: Run) {
    this.parts = parts;
    this.run = run;
    this.rerun = new Rerun(parts.machines, run.address);
    this.last = run.seq - 1;
  }

  get runId(): string {
    return this.run.run_id;
  }

  /** The last step that it has taken. */
  get reached(): number {
    return this.last;
  }

  /** All that have lived until then. */
  get actors(): readonly ActorThen[] {
    return [...this.lives.values()];
  }

  async *goOn(): AsyncGenerator<ReplayedStep, void> {
    const { read } = this.parts;
    for await (const row of stepsOf(read, this.run, { afterSeq: this.last })) {
      const knew = this.contextOf(row.address);
      const isBirth = row.event_type === "actor.created";
      const version = isBirth ? await this.versionOf(row.address) : undefined;
      const verdict = this.rerun.take(row, version);
      const actor = actorAfter(this.parts.machines, row);
      if (actor !== undefined) this.lives.set(actor.address, actor);
      this.last = row.seq;
      yield { row, verdict, knew };
    }
  }

  async hasMore(): Promise<boolean> {
    const beyond = { afterSeq: this.last, atOnce: 1 };
    const { done } = await stepsOf(this.parts.read, this.run, beyond).next();
    return done !== true;
  }

  /** As it is after the last step; undefined where that is not known. */
  stateOf(address: string): ActorState | undefined {
    return this.rerun.stateAfterStep(address);
  }

  private contextOf(address: string): Knowledge | undefined {
    return this.rerun.stateOf(address)?.snapshot.context as Knowledge | undefined;
  }

  /** Of the chart that recorded it, for as long as its row is kept. */
  private async versionOf(address: string): Promise<string | undefined> {
    return (await this.parts.read.get(actorTable, address))?.version;
  }
}

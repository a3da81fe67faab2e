import type { MachineRegistry } from "../../engine/machine-registry.ts";
import { Rerun } from "../../engine/rerun.ts";
import type { Verdict } from "../../engine/rerun-verdict.ts";
import { actorTable, type JournalRow, journalTable } from "../../engine/tables.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { Run } from "../../schema/run-rows.ts";

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

const rowsAtOnce = 200;

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

/** Runs one run again, from its beginning on. */
export class RecordedRun {
  private readonly parts: Rerunning;
  private readonly run: Run;
  private readonly rerun: Rerun;
  /** The last step that it has taken. */
  reached: number;

  constructor(parts: Rerunning, run: Run) {
    this.parts = parts;
    this.run = run;
    this.rerun = new Rerun(parts.machines, run.address);
    this.reached = run.seq - 1;
  }

  get runId(): string {
    return this.run.run_id;
  }

  async *goOn(): AsyncGenerator<ReplayedStep, void> {
    const { read } = this.parts;
    for await (const row of stepsOf(read, this.run, { afterSeq: this.reached })) {
      const knew = this.contextOf(row.address);
      const isBirth = row.event_type === "actor.created";
      const version = isBirth ? await this.versionOf(row.address) : undefined;
      const verdict = this.rerun.take(row, version);
      this.reached = row.seq;
      yield { row, verdict, knew };
    }
  }

  async hasMore(): Promise<boolean> {
    const beyond = { afterSeq: this.reached, atOnce: 1 };
    const { done } = await stepsOf(this.parts.read, this.run, beyond).next();
    return done !== true;
  }

  stateOf(address: string) {
    return this.rerun.stateOf(address);
  }

  private contextOf(address: string): Knowledge | undefined {
    return this.rerun.stateOf(address)?.snapshot.context as Knowledge | undefined;
  }

  /** Of the chart that recorded it, for as long as its row is kept. */
  private async versionOf(address: string): Promise<string | undefined> {
    return (await this.parts.read.get(actorTable, address))?.version;
  }
}

import type { ShownApproval, ShownRun } from "../../schema/socket/protocol.ts";
import type { ShownStep } from "../../schema/shown/shown.ts";
import type { Fields } from "../widgets/filter.ts";
import type { LivingRuns } from "./living-runs.ts";
import type { Model } from "./model.ts";
import type { Records } from "./records.ts";
import { callsOf, type RunRecord, type SeenCall } from "./run-record.ts";

/** Runs with their steps, calls and approvals below them, as rows. */

type Below = {
  readonly id: string;
  readonly run: ShownRun;
  /** What `/` looks at: that of the whole run, so that what belongs together stays together. */
  readonly fields: Fields;
};

export type RunRow =
  | (Below & {
      readonly kind: "run";
      readonly isFolded: boolean;
      /** What it works on or waits for, as far as it is known. */
      readonly doing: string;
    })
  | (Below & { readonly kind: "step"; readonly step: ShownStep })
  | (Below & { readonly kind: "call"; readonly call: SeenCall })
  | (Below & { readonly kind: "decision"; readonly call: SeenCall })
  | (Below & { readonly kind: "approval"; readonly approval: ShownApproval });

export class RunTree {
  private readonly model: Model;
  private readonly living: LivingRuns;
  private readonly records: Records<RunRecord>;
  private readonly unfolded = new Set<string>();
  private folds = 0;
  private built: { readonly of: readonly unknown[]; readonly rows: readonly RunRow[] } | undefined;

  constructor(model: Model, living: LivingRuns, records: Records<RunRecord>) {
    this.model = model;
    this.living = living;
    this.records = records;
  }

  record(run: ShownRun): RunRecord | undefined {
    const sign = `${run.state} ${run.usage.calls} ${run.ended_at} ${this.living.signOf(run.address)}`;
    return this.records.get(run.run_id, sign);
  }

  rows(): readonly RunRow[] {
    const { runs, approvals, actors } = this.model;
    const of = [runs, approvals, actors.version, this.records.version, this.folds];
    if (this.built?.of.every((each, index) => each === of[index]) === true) return this.built.rows;
    const waiting = new Set(approvals.map(({ run_id }) => run_id));
    const asked = ({ run_id }: ShownRun) =>
      waiting.has(run_id) ? approvals.filter((each) => each.run_id === run_id) : [];
    const rows = runs.flatMap((run) => this.rowsOf(run, asked(run)));
    this.built = { of, rows };
    return rows;
  }

  isUnfolded(runId: string): boolean {
    return this.unfolded.has(runId);
  }

  fold(runId: string, isUnfolded: boolean): void {
    if (isUnfolded) this.unfolded.add(runId);
    else this.unfolded.delete(runId);
    this.folds += 1;
  }

  private rowsOf(run: ShownRun, approvals: readonly ShownApproval[]): RunRow[] {
    const isFolded = !this.unfolded.has(run.run_id);
    const isOfInterest = !isFolded || run.ended_at === null;
    const record = isOfInterest ? this.record(run) : undefined;
    const actors = this.living.of(run.address);
    const calls = record === undefined ? [] : callsOf(record, { actors, approvals });
    const fields = fieldsOf(run, [...calls, ...approvals]);
    const of = { run, fields };
    const doing = doingOf(calls, approvals);
    const own: RunRow = { kind: "run", id: run.run_id, isFolded, doing, ...of };
    if (record === undefined || isFolded) return [own];
    const steps = record.shown.steps.flatMap((step): RunRow[] => [
      { kind: "step", id: step.step_id, step, ...of },
      ...calls
        .filter(({ stepId }) => stepId === step.step_id)
        .flatMap((call) => callRows(call, approvals, of)),
    ]);
    return [own, ...steps, ...approvals.filter(isOfRun).map((each) => approvalRow(each, of))];
    function isOfRun({ address }: ShownApproval): boolean {
      return !calls.some(({ actor }) => actor && address.startsWith(`${actor.address}/`));
    }
  }
}

type Of = Omit<Below, "id">;

function callRows(call: SeenCall, approvals: readonly ShownApproval[], of: Of): RunRow[] {
  const { actor, decision } = call;
  const asked = approvals.filter(({ address }) => actor && address.startsWith(`${actor.address}/`));
  const decided: RunRow[] =
    decision?.approval_required === 1
      ? [{ kind: "decision", id: `${call.id} decided`, call, ...of }]
      : [];
  return [
    { kind: "call", id: call.id, call, ...of },
    ...decided,
    ...asked.map((each) => approvalRow(each, of)),
  ];
}

function doingOf(calls: readonly SeenCall[], approvals: readonly ShownApproval[]): string {
  const asks = approvals.map(({ summary }) => `asks: ${summary}`);
  if (asks.length > 0) return asks.join("; ");
  return calls
    .filter(({ isOver }) => !isOver)
    .map(({ tool }) => tool)
    .join(", ");
}

function approvalRow(approval: ShownApproval, of: Of): RunRow {
  return { kind: "approval", id: approval.id, approval, ...of };
}

function fieldsOf(run: ShownRun, below: readonly { readonly tool: string }[]): Fields {
  const tools = [...new Set(below.map(({ tool }) => tool))].join(" ");
  const { run_id, agent_id, state, session_id, trace_id, reply, error } = run;
  return {
    run: run_id,
    agent: agent_id,
    state,
    session: session_id,
    trace: trace_id,
    tool: tools,
    text: reply ?? error?.message ?? "",
  };
}

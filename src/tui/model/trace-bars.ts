import type { Results, ShownApproval } from "../../schema/socket/protocol.ts";
import type { ActorStateRow } from "../../schema/shown/actor-view.ts";
import { isRefusedAnswer } from "../../text/audit-text.ts";

/** What was done for one message, as bars over time. */

export type Bar = {
  readonly id: string;
  /** 0: a run; 1: a step of it; 2: what was asked and done in the step. */
  readonly depth: 0 | 1 | 2;
  readonly kind: "run" | "step" | "person" | "tool";
  readonly name: string;
  readonly state: string;
  /** Milliseconds. */
  readonly from: number;
  /** Null while it goes on. */
  readonly to: number | null;
};

export type TraceRuns = readonly Results["runs.show"][];

/** What goes on at this moment, of any trace. */
export type GoingOn = {
  readonly approvals: readonly ShownApproval[];
  readonly actors: readonly ActorStateRow[];
};

/** In the order of time, what belongs to a step below it. */
export function barsOf(runs: TraceRuns, now: GoingOn): Bar[] {
  return runs
    .toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1))
    .flatMap((run) => [
      {
        id: run.run_id,
        depth: 0,
        kind: "run",
        name: `run ${run.run_id}`,
        state: run.state,
        from: Date.parse(run.started_at),
        to: timeOf(run.ended_at),
      },
      ...run.steps.flatMap((step) => stepBars(run, step, now)),
    ]);
}

type Run = TraceRuns[number];
type Step = Run["steps"][number];

function stepBars(run: Run, step: Step, now: GoingOn): Bar[] {
  const parts = [
    ...auditBars(run, step),
    ...waitingBars(step, now.approvals),
    ...(step.ended_at === null ? callBars(run, now.actors) : []),
  ];
  const head: Bar = {
    id: step.step_id,
    depth: 1,
    kind: "step",
    name: `step ${step.number}`,
    state: step.action ?? (step.ended_at === null ? run.state : ""),
    from: Date.parse(step.started_at),
    to: timeOf(step.ended_at ?? run.ended_at),
  };
  return [head, ...parts.toSorted((a, b) => a.from - b.from)];
}

/** Calls that ended, and how long a person thought about them; verdicts without a person take no time. */
function auditBars({ audit }: Run, { step_id }: Step): Bar[] {
  return audit
    .filter((row) => row.step_id === step_id)
    .filter((row) => row.kind === "invocation" || isByPerson(row))
    .map((row): Bar => {
      const isTool = row.kind === "invocation";
      return {
        id: `audit ${row.n}`,
        depth: 2,
        kind: isTool ? "tool" : "person",
        name: isTool ? row.tool : `asks: ${row.tool}`,
        state: row.status,
        from: Date.parse(row.start_at),
        to: Date.parse(row.end_at),
      };
    });
}

function isByPerson(row: Run["audit"][number]): boolean {
  return row.kind === "decision" && row.approval_required === 1 && !isRefusedAnswer(row);
}

function waitingBars({ step_id }: Step, approvals: readonly ShownApproval[]): Bar[] {
  return approvals
    .filter((approval) => approval.step_id === step_id)
    .map(({ id, tool, created_at, state }) => ({
      id,
      depth: 2,
      kind: "person",
      name: `asks: ${tool}`,
      state,
      from: Date.parse(created_at),
      to: null,
    }));
}

/** Of a call that works, only its present state is known. */
function callBars({ address }: Run, actors: readonly ActorStateRow[]): Bar[] {
  return actors
    .filter(
      (actor) =>
        actor.parent === address && actor.status === "active" && actor.state === "executing",
    )
    .map((actor) => ({
      id: actor.address,
      depth: 2,
      kind: "tool",
      name: actor.address.split("/").slice(-2).join(" "),
      state: actor.state,
      from: Date.parse(actor.since),
      to: null,
    }));
}

function timeOf(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso);
}

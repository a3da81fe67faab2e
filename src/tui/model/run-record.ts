import type { ActorDetails, ActorStateRow } from "../../schema/shown/actor-view.ts";
import { runContext } from "../../schema/contexts/run-context.ts";
import type { Json } from "../../schema/json.ts";
import type { Results, ShownApproval } from "../../schema/socket/protocol.ts";
import type { ShownAudit } from "../../schema/shown/shown.ts";
import { isRefusedAnswer } from "../../text/audit-text.ts";

/** What a run did, put together from what the service says of it: its rows, and its actor while it lives. */

export type RunRecord = {
  readonly shown: Results["runs.show"];
  /** Undefined once its row is gone. */
  readonly actor: ActorDetails | undefined;
};

/** A tool call, living or ended. */
export type SeenCall = {
  /** Of the step and of the call, for the model may use an id twice. */
  readonly id: string;
  readonly callId: string;
  readonly stepId: string;
  readonly tool: string;
  readonly input: Json;
  /** While it lives. */
  readonly actor: ActorStateRow | undefined;
  /** `executing`; how it ended, once it has. */
  readonly state: string;
  readonly isOver: boolean;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly decision: ShownAudit | undefined;
  readonly invocation: ShownAudit | undefined;
};

/** What lives of a run at this moment. */
export type LivingPart = {
  readonly actors: readonly ActorStateRow[];
  readonly approvals: readonly ShownApproval[];
};

/** In the order of the steps; those of one step in the order in which they were asked for. */
export function callsOf(record: RunRecord, living: LivingPart): SeenCall[] {
  const calls = auditedCalls(record.shown.audit);
  const lastStep = record.shown.steps.at(-1)?.step_id ?? "";
  for (const call of openCalls(record.actor)) {
    const address = `${record.shown.address}/${call.child}`;
    const actor = living.actors.find((each) => each.address === address);
    const id = `${lastStep}/${call.id}`;
    const audited = calls.get(id);
    if (audited !== undefined) calls.set(id, withActor(audited, actor));
    else if (actor !== undefined) calls.set(id, livingCall({ id, call, actor, lastStep }, living));
  }
  return [...calls.values()];
}

function auditedCalls(audit: readonly ShownAudit[]): Map<string, SeenCall> {
  const calls = new Map<string, SeenCall>();
  for (const row of audit) {
    if (row.kind === "poke" || row.tool_call_id === "" || isRefusedAnswer(row)) continue;
    const id = `${row.step_id}/${row.tool_call_id}`;
    const before = calls.get(id);
    const decision = row.kind === "decision" ? row : before?.decision;
    const invocation = row.kind === "invocation" ? row : before?.invocation;
    calls.set(id, {
      id,
      callId: row.tool_call_id,
      stepId: row.step_id,
      tool: row.tool,
      input: row.input,
      actor: undefined,
      state: row.status,
      isOver: true,
      startedAt: before?.startedAt ?? row.start_at,
      endedAt: row.end_at,
      decision,
      invocation,
    });
  }
  return calls;
}

function withActor(call: SeenCall, actor: ActorStateRow | undefined): SeenCall {
  if (actor === undefined || actor.status === "done") return { ...call, actor };
  return { ...call, actor, state: actor.state, isOver: false, endedAt: null };
}

type OpenCall = { readonly id: string; readonly child: string; readonly tool: string };

function openCalls(actor: ActorDetails | undefined): readonly OpenCall[] {
  const parsed = runContext.shape.calls.safeParse(actor?.context["calls"]);
  return parsed.success ? parsed.data : [];
}

type Living = {
  readonly id: string;
  readonly call: OpenCall;
  readonly actor: ActorStateRow;
  readonly lastStep: string;
};

function livingCall({ id, call, actor, lastStep }: Living, { approvals }: LivingPart): SeenCall {
  const asked = approvals.find(({ address }) => address.startsWith(`${actor.address}/`));
  return {
    id,
    callId: call.id,
    stepId: lastStep,
    tool: call.tool,
    input: asked?.input ?? null,
    actor,
    state: actor.state,
    isOver: actor.status !== "active",
    startedAt: asked?.created_at ?? null,
    endedAt: null,
    decision: undefined,
    invocation: undefined,
  };
}

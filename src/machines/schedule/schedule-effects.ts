import type { Delivered } from "../../schema/events/event.ts";
import type { ScheduleTask } from "../../schema/schedule.ts";
import type { ScheduleContext } from "../../schema/contexts/schedule-context.ts";
import { ask, type EffectAction, effects, sendTo, spawn } from "../effect-actions.ts";
import type { ConsolidationInput, ScheduleEvent } from "./schedule-events.ts";

type Event = Delivered<ScheduleEvent>;

/** Never before it was begun last: a clock that is set back brings nothing twice. */
export const planNext = effects<ScheduleContext, Event>(({ context, event }) => {
  const { cron, zone } = context.definition;
  const after = Math.max(event.$.at, context.last_begun_at ?? 0);
  return [ask("nextDue", { cron, zone, after })];
});

/** The timer is a row: it outlives the service, and a later plan replaces it. */
export const awaitDue = effects<ScheduleContext, Event>(({ event }) => {
  if (event.type !== "schedule.planned" || event.next_at === null) return [];
  const delayMs = event.next_at - event.$.at;
  return [{ type: "wakeLater", params: { id: "due", delayMs, event: { type: "schedule.due" } } }];
});

export const beginWork = effects<ScheduleContext, Event>(({ context }) => {
  const { schedule_id, source, definition, present } = context;
  const { work } = definition;
  if (work.kind === "command") return [ask("partitionsToConsolidate", { schedule_id })];
  const trace = present?.trace ?? "";
  return [ask("placeTask", { task: work, trace, has_own_session: source === "config" })];
});

export const spawnConsolidations = effects<ScheduleContext, Event>(({ context }) =>
  (context.present?.open ?? []).map((partition) => {
    const input: ConsolidationInput = { partition, by: `schedule:${context.schedule_id}` };
    return spawn(`consolidation/${encodeURIComponent(partition)}`, "consolidation", input);
  }),
);

/** The end of a run that nobody told of is found in its rows. */
export const lookAfterTask = effects<ScheduleContext, Event>(({ context }) => {
  const { present, definition } = context;
  if (present === null || definition.work.kind !== "task") return [];
  const { session_key } = definition.work;
  return [ask("findTask", { trace: present.trace, session_key })];
});

/** Its owner has said where the answer goes: that is no word of the agent's. */
export const deliverReply = effects<ScheduleContext, Event>(({ context, event }) => {
  const { work } = context.definition;
  if (event.type !== "task.ended" || event.run_id === null || work.kind !== "task") return [];
  return replyTo(work, event.run_id);
});

function replyTo({ deliver }: ScheduleTask, about: string): readonly EffectAction[] {
  if (deliver === null) return [];
  const nothing = { text: null, reply_to: null, edits: null, resends: null };
  const due = { type: "delivery.due", kind: "reply", scope: deliver.scope, about, ...nothing };
  return [sendTo(`connector/${deliver.connector}`, due)];
}

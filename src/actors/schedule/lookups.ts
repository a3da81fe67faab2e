import type { Lookup } from "../../engine/engine.ts";
import { actorTable } from "../../engine/tables.ts";
import type { Calendar } from "../../ports/calendar.ts";
import type { RowReader } from "../../ports/store.ts";
import { isLocalSession } from "../../policy/session-place.ts";
import { scheduleOf } from "../../policy/scheduled-trace.ts";
import { type Run, runTable } from "../../schema/rows/run-rows.ts";
import type { ScheduleTask } from "../../schema/schedule.ts";
import { inboxTable } from "../../schema/rows/session-rows.ts";
import type { Channels } from "../channel/channels.ts";
import { isLetIn } from "../channel/let-in.ts";
import { placeIn, sessionAddress } from "../session-key.ts";
import { scheduleAddress } from "./address.ts";

/** What schedules ask: when they are due, and what has become of their tasks. */

export type ScheduleParts = { readonly calendar: Calendar; readonly channels: Channels };

export function createScheduleLookups({ calendar, channels }: ScheduleParts): {
  readonly [name: string]: Lookup;
} {
  return {
    nextDue: (_read, { cron, zone, after }) => {
      const next_at = calendar.nextDue(cron as string, zone as string, after as number);
      return [{ to: "self", event: { type: "schedule.planned", next_at } }];
    },
    placeTask: (read, { task, trace, has_own_session }) => {
      const { ttlMs } = channels.sessions();
      const ttl_ms = has_own_session === true ? ownSessionTtlMs : ttlMs;
      return placed({ read, channels }, task as unknown as ScheduleTask, {
        trace: trace as string,
        ttl_ms,
      });
    },
    findTask: (read, args) => {
      const { trace, session_key } = args as Asked;
      const [run] = read.select(runTable, { index: "by_trace", equals: [trace], limit: 1 });
      if (run !== undefined) return run.state === null ? [] : [endOf(run)];
      const owner = sessionAddress(session_key);
      const waiting = read.select(inboxTable, { index: "by_owner", equals: [owner] });
      if (waiting.some((message) => message.trace === trace)) return [];
      return [{ to: "self", event: { type: "task.ended", trace, run_id: null, state: "dropped" } }];
    },
    tellSchedule: (read, args) => {
      const { trace, run_id, state } = args as Ended;
      const to = scheduleAddress(scheduleOf(trace) ?? "");
      if (read.get(actorTable, to)?.status !== "active") return [];
      return [{ to, event: { type: "task.ended", trace, run_id, state } }];
    },
  };
}

type Asked = { readonly trace: string; readonly session_key: string };
type Ended = { readonly trace: string; readonly run_id: string; readonly state: string };

/** Each time is a conversation of its own, which closes soon after. */
const ownSessionTtlMs = 60_000;
const queueCap = 100;

type Placing = { readonly read: RowReader; readonly channels: Channels };

function placed(placing: Placing, task: ScheduleTask, of: { trace: string; ttl_ms: number }) {
  const { trace, ttl_ms } = of;
  const { agent_id, session_key: key, text, boundary, trust } = task;
  const refused = { type: "task.refused", trace };
  const why = whyNot(placing, key);
  if (why !== undefined) return [{ to: "self", event: { ...refused, reason: why } }];
  const bounds = boundary === null ? {} : { boundary };
  return [
    { to: "self", event: { type: "task.placed" } },
    {
      to: sessionAddress(key),
      event: { type: "message.received", text, queue: "follow_up", trust, ttl_ms, ...bounds },
      trace,
      create: {
        machine: "session",
        input: { key, agent_id, queue_cap: queueCap, ttl_ms },
        supervisor: "system",
      },
      refused,
    },
  ];
}

/** Of a conversation over a channel: its person may have been turned out since, and the channel be gone. */
function whyNot({ read, channels }: Placing, key: string): string | undefined {
  if (isLocalSession(sessionAddress(key))) return undefined;
  const place = placeIn(key);
  if (channels.settings(place.connector_id) === undefined)
    return `the connector ${place.connector_id} is configured no more`;
  return isLetIn(read, channels, place)
    ? undefined
    : `${place.user_scope} is let in no more at ${place.connector_id}`;
}

function endOf({ trace_id: trace, run_id, state }: Run) {
  return { to: "self", event: { type: "task.ended", trace, run_id, state } };
}

import { scheduleAddress } from "../../actors/schedule/address.ts";
import { storedContext } from "../../engine/kernel/actor-state.ts";
import type { Engine } from "../../engine/engine.ts";
import { hashOf } from "../../policy/canonical-json.ts";
import type { Calendar } from "../../ports/calendar.ts";
import type { MadeSchedule, WantedSchedule } from "../../ports/schedules.ts";
import { AgentError } from "../../schema/errors.ts";
import type { ScheduleTask } from "../../schema/schedule.ts";
import type { ScheduleContext } from "../../schema/contexts/schedule-context.ts";
import { rootAddress } from "../root.ts";
import { localZone } from "../local-zone.ts";

/** What an agent wants done at set times becomes a schedule like those of the owner's file, bound to the conversation it was asked in. */

const mostInConversation = 20;
const shortestMs = 10 * 60_000;
/** Times that are looked at for how close they come. */
const looked = 50;

/** Who asks, and what its run knows and may do. */
export type Asking = Pick<ScheduleTask, "agent_id" | "session_key" | "boundary" | "trust">;

type Parts = {
  readonly engine: Engine;
  readonly calendar: Calendar;
  readonly now: number;
  /** Of the call: a second attempt makes no second schedule. */
  readonly key: string;
};

/** @throws AgentError tool.failed */
export async function createSchedule(
  { engine, calendar, now, key }: Parts,
  asking: Asking,
  { cron, task }: WantedSchedule,
): Promise<MadeSchedule> {
  const id = `${asking.agent_id}.${hashOf(key).slice(0, 8)}`;
  const address = scheduleAddress(id);
  const timezone = localZone();
  const next_at = firstOf(calendar, { cron, zone: timezone, now });
  const made = { id, next_at, timezone };
  if ((await engine.get(address)) !== undefined) return made;
  await refuseMany(engine, asking.session_key);
  const work: ScheduleTask = { kind: "task", text: task, deliver: null, ...asking };
  const definition = { cron, timezone: "local", zone: timezone, work };
  const input = { schedule_id: id, source: "agent", definition };
  await engine.create(address, { machine: "schedule", input, supervisor: rootAddress });
  return made;
}

type Times = { readonly cron: string; readonly zone: string; readonly now: number };

function firstOf(calendar: Calendar, { cron, zone, now }: Times): number {
  const first = calendar.nextDue(cron, zone, now);
  if (first === null) throw refused(`${cron} is never due, or is no time that can be read.`);
  let before = first;
  for (let n = 0; n < looked; n += 1) {
    const next = calendar.nextDue(cron, zone, before);
    if (next === null) return first;
    if (next - before < shortestMs)
      throw refused(`${cron} comes more often than every ten minutes.`);
    before = next;
  }
  return first;
}

async function refuseMany(engine: Engine, sessionKey: string): Promise<void> {
  const living = await engine.actors({ status: "active", prefix: scheduleAddress("") });
  const here = living.filter(({ machine, snapshot }) => {
    if (machine !== "schedule") return false;
    const { source, definition } = storedContext(snapshot) as unknown as ScheduleContext;
    const { work } = definition;
    return source === "agent" && work.kind === "task" && work.session_key === sessionKey;
  });
  if (here.length < mostInConversation) return;
  throw refused(`This conversation has ${mostInConversation} schedules already.`);
}

const refused = (why: string) =>
  new AgentError(
    "tool.failed",
    `${why} The owner's \`statehive schedule list\` shows what there is.`,
  );

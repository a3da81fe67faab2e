import { scheduleAddress } from "../../../src/actors/schedule/address.ts";
import { sessionKey } from "../../../src/actors/session-key.ts";
import { storedContext } from "../../../src/engine/kernel/actor-state.ts";
import { actorTable, journalTable } from "../../../src/engine/tables.ts";
import { noTrust } from "../../../src/schema/contexts/trust.ts";
import type { ScheduleDefinition, ScheduleTask } from "../../../src/schema/schedule.ts";
import type { ScheduleContext } from "../../../src/schema/contexts/schedule-context.ts";
import type { TestHive } from "../../support/hive.ts";

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

const ownPlace = sessionKey({
  channel_type: "local",
  connector_id: "local",
  conversation_scope: "schedule:report",
  user_scope: "owner",
  agent_id: "main",
});

export function definitionOf(
  cron: string,
  task: Partial<ScheduleTask> = {},
  zone = "UTC",
): ScheduleDefinition {
  const work: ScheduleTask = {
    kind: "task",
    agent_id: "main",
    text: "hello",
    session_key: ownPlace,
    boundary: null,
    trust: noTrust,
    deliver: null,
    ...task,
  };
  return { cron, timezone: zone, zone, work };
}

export const report = scheduleAddress("report");

export async function makeSchedule(hive: TestHive, definition: ScheduleDefinition): Promise<void> {
  const input = { schedule_id: "report", source: "config", definition };
  await hive.engine.create(report, { machine: "schedule", input, supervisor: "system" });
  await hive.engine.settled();
}

/** Stops at each time that comes in between, as time does. */
export async function pass(hive: TestHive, ms: number): Promise<void> {
  const end = hive.clock.now() + ms;
  while (hive.clock.now() < end) {
    const { next_at } = await scheduleNow(hive);
    const next = next_at === null || next_at <= hive.clock.now() ? end : next_at;
    hive.clock.advanceTo(Math.min(end, next));
    await hive.engine.settled();
  }
}

export async function scheduleNow(
  hive: TestHive,
): Promise<ScheduleContext & { readonly state: string }> {
  const row = await hive.engine.read.get(actorTable, report);
  if (row === undefined) throw new Error("there is no schedule");
  return { ...(storedContext(row.snapshot) as unknown as ScheduleContext), state: row.state };
}

/** Every state that it came to, in order, without repeats. */
export async function statesPassed(hive: TestHive): Promise<readonly (string | null)[]> {
  const steps = await hive.engine.read.select(journalTable, { index: "key" });
  const states = steps
    .filter(({ address }) => address === report)
    .map(({ state_after }) => state_after);
  return states.filter((state, index) => state !== states[index - 1]);
}

export async function tellSchedule(hive: TestHive, type: string): Promise<string> {
  const { outcome, reason } = await hive.engine.send(report, { type }, { origin: "cli" });
  await hive.engine.settled();
  return reason ?? outcome;
}

import { isDeepStrictEqual } from "node:util";
import { scheduleAddress } from "../../actors/schedule/address.ts";
import type { Engine } from "../../engine/engine.ts";
import type { HiveConfig, ScheduleConfig } from "../../schema/config/config.ts";
import type { ScheduleContext } from "../../schema/contexts/schedule-context.ts";
import { rootAddress } from "../root.ts";
import { localZone } from "../local-zone.ts";
import { definitionOf } from "../../actors/schedule/definition-of.ts";

/** The actors of the schedules that are configured: made once, told when their file says something else, and let go with it. What
 *  agents have made is no matter of the configuration. */
export async function renewSchedules(
  engine: Engine,
  { schedules }: Pick<HiveConfig, "schedules">,
): Promise<void> {
  for (const schedule of schedules) await renewSchedule(engine, schedule);
  const configured = new Set(schedules.map(({ id }) => scheduleAddress(id)));
  const living = await engine.actors({ status: "active", prefix: scheduleAddress("") });
  for (const { address, machine } of living) {
    if (machine !== "schedule" || configured.has(address)) continue;
    const { source, afterwards } = await contextAt(engine, address);
    if (source !== "config" || afterwards === "removed") continue;
    const event = { type: "schedule.remove", reason: "it is configured no more" };
    await engine.send(address, event, { origin: "api" });
  }
}

async function renewSchedule(engine: Engine, config: ScheduleConfig): Promise<void> {
  const address = scheduleAddress(config.id);
  const definition = definitionOf(config, localZone());
  const actor = await engine.get(address);
  if (actor === undefined || actor.status !== "active") {
    const input = { schedule_id: config.id, source: "config", definition };
    await engine.create(address, { machine: "schedule", input, supervisor: rootAddress });
    return;
  }
  const known = actor.context as ScheduleContext;
  const isSame = isDeepStrictEqual(known.definition, definition);
  if (isSame && known.afterwards !== "removed") return;
  await engine.send(address, { type: "schedule.configure", definition }, { origin: "api" });
}

async function contextAt(engine: Engine, address: string): Promise<ScheduleContext> {
  return (await engine.get(address))?.context as ScheduleContext;
}

import type { Engine } from "../../engine/engine.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import type { ShownSchedule } from "../../schema/shown/shown-schedules.ts";
import { findSchedule, listSchedules, type ScheduleSource } from "../records/shown-schedule.ts";
import { refuseWhenStopping } from "../root.ts";
import { sendOrRefuse } from "./actors.ts";
import type { Caller, Handlers } from "./caller.ts";

/** What is done at set times, and a person's word on it. */
export function scheduleReads(
  read: CommittedReader,
  source: ScheduleSource,
): Handlers<"schedules.list" | "schedules.show"> {
  return {
    "schedules.list": () => listSchedules(read, source),
    "schedules.show": ({ id }) => findSchedule(read, source, id),
  };
}

type Words = "schedules.run" | "schedules.pause" | "schedules.resume" | "schedules.remove";

export function scheduleHandlers(engine: Engine, source: ScheduleSource): Handlers<Words> {
  const tell = async (id: string, type: string, { origin, name: by }: Caller) => {
    const { address } = await findSchedule(engine.read, source, id);
    await sendOrRefuse(engine, address, { event: { type, by }, options: { origin } });
    return findSchedule(engine.read, source, id);
  };
  return {
    "schedules.run": async ({ id }, caller) => {
      await refuseWhenStopping(engine);
      return tell(id, "schedule.run", caller);
    },
    "schedules.pause": ({ id }, caller) => tell(id, "schedule.pause", caller),
    "schedules.resume": ({ id }, caller) => tell(id, "schedule.resume", caller),
    "schedules.remove": async ({ id }, { origin }) => {
      const found = await findSchedule(engine.read, source, id);
      refuseConfigured(found, source);
      if (found.state === "set_aside") await engine.retire(found.address);
      else {
        const event = { type: "schedule.remove", reason: "a person removed it" };
        await sendOrRefuse(engine, found.address, { event, options: { origin } });
      }
      const state = (await engine.get(found.address))?.state ?? "removed";
      return { id, state };
    },
  };
}

/** @throws AgentError schedule.configured */
function refuseConfigured({ id }: ShownSchedule, { config }: ScheduleSource): void {
  if (!config().schedules.some((one) => one.id === id)) return;
  throw new AgentError(
    "schedule.configured",
    `The schedule ${id} stands in config/schedules.yaml.`,
    {
      hint: "take it out there, then `statehive config reload`; `statehive schedule pause` only stops it for a while",
    },
  );
}

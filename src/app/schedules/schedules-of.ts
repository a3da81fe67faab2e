import type { AskingRun } from "../../actors/execute-tool.ts";
import { keyIn } from "../../actors/session-key.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Calendar } from "../../ports/calendar.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Schedules } from "../../ports/schedules.ts";
import { noTrust } from "../../schema/contexts/trust.ts";
import { taskTable } from "../../schema/rows/run-rows.ts";
import { createSchedule } from "./create-schedule.ts";

type Parts = {
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly asking: AskingRun;
};

/** What is made may do no more than the task that made it, and carries what that knew.
 *  @param engine asked when it is there: the engine's own activities make schedules */
export function schedulesOf(engine: () => Engine, { calendar, clock, asking }: Parts): Schedules {
  const { agent_id, session_address, task_id, trust = noTrust } = asking;
  return {
    async create(wanted, key) {
      const parts = { engine: engine(), calendar, now: clock.now(), key };
      const task = await parts.engine.read.get(taskTable, task_id);
      const boundary = task?.boundary.length ? [...task.boundary] : null;
      return createSchedule(
        parts,
        { agent_id, session_key: keyIn(session_address), boundary, trust },
        wanted,
      );
    },
  };
}

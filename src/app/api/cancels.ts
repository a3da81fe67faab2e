import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../ports/clock.ts";
import { AgentError } from "../../schema/errors.ts";
import type { Run } from "../../schema/rows/run-rows.ts";
import type { Session } from "../../schema/rows/session-rows.ts";
import { sendOrRefuse } from "./actors.ts";
import type { Caller, Handlers } from "./caller.ts";
import { findRun, findSession, findTask, runsOfTask } from "../records/find.ts";

/** Stopping what a person no longer wants. */
export function cancelHandlers(
  engine: Engine,
  clock: Clock,
): Handlers<"runs.cancel" | "sessions.reset" | "tasks.cancel"> {
  const { read } = engine;
  return {
    "runs.cancel": async ({ id, after_step }, caller) => {
      const run = await findRun(read, id);
      return after_step ? stopAfterStep(engine, run, caller) : cancelRun(engine, run, caller);
    },
    "sessions.reset": async ({ id }, { origin }) => {
      const session = await findSession(read, id);
      const isSetAside = (await engine.get(session.address))?.status === "quarantined";
      if (isSetAside) return giveUp(engine, session, clock.now());
      const event = { type: "session.cancel", reason: "a person reset the session" };
      return sendOrRefuse(engine, session.address, { event, options: { origin } });
    },
    "tasks.cancel": async ({ id }, caller) => {
      await findTask(read, id);
      const [open] = (await runsOfTask(read, id)).filter((run) => run.state === null);
      if (open === undefined) throw new AgentError("actor.ended", `The task ${id} has ended.`);
      return cancelRun(engine, open, caller);
    },
  };
}

function cancelRun(engine: Engine, run: Run, { origin }: Caller) {
  const event = { type: "run.cancel", reason: "a person cancelled the run" };
  return sendOrRefuse(engine, run.address, { event, options: { origin } });
}

function stopAfterStep(engine: Engine, run: Run, { origin }: Caller) {
  const event = { type: "run.stop_after_step" };
  return sendOrRefuse(engine, run.address, { event, options: { origin } });
}

/** One that takes no event any more cannot close itself. */
async function giveUp(engine: Engine, { address, session_id }: Session, at: number) {
  const row = { state: "closed", closed_at: at, last_at: at };
  await engine.retire(address, [{ table: "sessions", op: "patch", key: [session_id], row }]);
  return { seq: 0, outcome: "handled", state: "closed" } as const;
}

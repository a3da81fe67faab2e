import type { Engine, SendResult } from "../../engine/engine.ts";
import { actorTable } from "../../engine/tables.ts";
import type { Clock } from "../../ports/clock.ts";
import { AgentError } from "../../schema/errors.ts";
import type { EventData } from "../../schema/events/event.ts";
import type { Session } from "../../schema/rows/session-rows.ts";
import { findRun, findSession, findTask, runsOfTask } from "../records/find.ts";
import { sendByHand } from "./actors.ts";
import type { Caller, Handlers } from "./caller.ts";
import type { PokeAudit } from "./poke-audit.ts";

export type CancelOptions = {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly pokes: PokeAudit;
};

/** Stopping what a person no longer wants; who did it stands in the audit. */
export function cancelHandlers(
  options: CancelOptions,
): Handlers<"runs.cancel" | "sessions.reset" | "tasks.cancel"> {
  const { read } = options.engine;
  const cancel = { type: "run.cancel", reason: "a person cancelled the run" };
  return {
    "runs.cancel": async ({ id, after_step }, caller) => {
      const { address } = await findRun(read, id);
      const event = after_step ? { type: "run.stop_after_step" } : cancel;
      return sendByHand(options, address, { event, caller });
    },
    "sessions.reset": async ({ id }, caller) => {
      const session = await findSession(read, id);
      const event = { type: "session.cancel", reason: "a person reset the session" };
      const givenUp = await giveUp(options, session, { event, caller });
      return givenUp ?? sendByHand(options, session.address, { event, caller });
    },
    "tasks.cancel": async ({ id }, caller) => {
      await findTask(read, id);
      const [open] = (await runsOfTask(read, id)).filter((run) => run.state === null);
      if (open === undefined) throw new AgentError("actor.ended", `The task ${id} has ended.`);
      return sendByHand(options, open.address, { event: cancel, caller });
    },
  };
}

type Reset = { readonly event: EventData; readonly caller: Caller };

/** One that was set aside takes no event any more, and cannot close itself.
 *  @returns undefined: it was not */
async function giveUp(
  { engine, clock, pokes }: CancelOptions,
  { address, session_id }: Session,
  { event, caller }: Reset,
): Promise<SendResult | undefined> {
  const actor = await engine.read.get(actorTable, address);
  if (actor?.status !== "quarantined") return undefined;
  const at = clock.now();
  const row = { state: "closed", closed_at: at, last_at: at };
  await engine.retire(address, [
    { table: "sessions", op: "patch", key: [session_id], row },
    pokes.ended(actor, event, caller.name),
  ]);
  return { seq: 0, outcome: "handled", state: "closed" };
}

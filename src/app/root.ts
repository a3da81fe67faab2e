import type { ConfigChanges } from "../config/config-changes.ts";
import type { Engine } from "../engine/engine.ts";
import { actorTable } from "../engine/tables.ts";
import type { Log } from "../ports/log.ts";
import type { EventData } from "../schema/events/event.ts";
import { AgentError } from "../schema/errors.ts";

/** The root actor: made once per home, started and stopped with the service. */

export const rootAddress = "system";

const supervision = { children: [], max_restarts: 3, within_ms: 10_000, backoff_ms: 200 };

/** After a crash the root still says `running`: it is told to stop first, so that the journal shows the new start.
 *  @returns whether there was one */
export async function startRoot(engine: Engine): Promise<{ readonly wasCrash: boolean }> {
  const root = await engine.get(rootAddress);
  const wasCrash = root?.state === "running" || root?.state === "draining";
  if (root === undefined)
    await engine.create(rootAddress, { machine: "system", input: supervision });
  else if (wasCrash) await engine.send(rootAddress, { type: "system.stop" }, { origin: "api" });
  await engine.send(rootAddress, { type: "system.start" }, { origin: "api" });
  return { wasCrash };
}

/** @throws AgentError service.stopping: what runs may end, but nothing new is taken */
export async function refuseWhenStopping(engine: Pick<Engine, "read">): Promise<void> {
  if (!(await isStopping(engine))) return;
  throw new AgentError("service.stopping", "The service is stopping and takes no new messages.", {
    retryable: true,
    hint: "send it again when the service runs",
  });
}

/** Whether it has begun to end, or has not begun. */
export async function isStopping({ read }: Pick<Engine, "read">): Promise<boolean> {
  const root = await read.get(actorTable, rootAddress);
  return root?.state === "draining" || root?.state === "stopped";
}

/** From now on no message is taken; what runs may end. */
export async function drainRoot(engine: Engine, log: Log): Promise<void> {
  await tellRoot(engine, log, { type: "system.drain" });
}

export async function stopRoot(engine: Engine, log: Log): Promise<void> {
  await tellRoot(engine, log, { type: "system.stop" });
}

/** The journal keeps who asked for it; runs that wait for a slot get those that there are now. */
export async function tellReloaded(
  engine: Engine,
  log: Log,
  { by, changes }: { readonly by: string; readonly changes: ConfigChanges },
): Promise<void> {
  const { agents, providers, settings } = changes;
  await tellRoot(engine, log, { type: "config.reloaded", by, agents, providers, settings });
}

async function tellRoot(engine: Engine, log: Log, event: EventData): Promise<void> {
  try {
    await engine.send(rootAddress, event, { origin: "api" });
  } catch (error) {
    log("warn", "the root could not be told", { event: event.type, error: String(error) });
  }
}

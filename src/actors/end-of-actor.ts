import type { Engine } from "../engine/engine.ts";
import { type ActorRow, actorTable } from "../engine/tables.ts";
import { AgentError } from "../schema/errors.ts";

/** Listens from now on, and looks whether it has ended already. Rejects with `activity.aborted` where `signal` fires before. */
export function endOfActor(engine: Engine, address: string, signal?: AbortSignal) {
  let forget: (() => void) | undefined;
  const row = new Promise<ActorRow>((resolve, reject) => {
    const take = (found: ActorRow | undefined) => {
      if (found !== undefined && found.status !== "active") resolve(found);
    };
    const stopListening = engine.onStep((step, actor) => {
      if (step.address === address) take(actor);
    });
    engine.read.get(actorTable, address).then(take, reject);
    const giveUp = () =>
      reject(new AgentError("activity.aborted", "Nobody waits for it any more."));
    if (signal?.aborted === true) giveUp();
    signal?.addEventListener("abort", giveUp);
    forget = () => {
      stopListening();
      signal?.removeEventListener("abort", giveUp);
    };
  });
  row.catch(() => {});
  return { row, forget: () => forget?.() };
}

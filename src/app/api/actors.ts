import type { Engine, SendOptions, SendResult } from "../../engine/engine.ts";
import type { JournalRow } from "../../engine/tables.ts";
import { AgentError } from "../../schema/errors.ts";
import type { EventData } from "../../schema/event.ts";
import type { ActorStep } from "../../schema/protocol.ts";
import { byAddress, nobodyAt } from "./actor-reads.ts";
import { refuseWhenStopping } from "../root.ts";
import type { Handlers } from "./caller.ts";
import { iso, showActor } from "./shown.ts";

/** Watching and poking actors. */
export function actorHandlers(engine: Engine): Handlers<"actor.send" | "actors.subscribe"> {
  return {
    "actor.send": async ({ address, event, payload, idempotency_key }, { origin }) => {
      if (event === "message.received") await refuseWhenStopping(engine);
      return sendOrRefuse(engine, address, {
        event: { ...payload, type: event },
        options: {
          origin,
          poke: true,
          ...(idempotency_key === undefined ? {} : { idempotencyKey: idempotency_key }),
        },
      });
    },
    "actors.subscribe": async ({ prefix }, caller) => {
      const stop = engine.onStep((step, actor) => {
        if (!step.address.startsWith(prefix)) return;
        const rows = actor === undefined ? [] : [showActor(actor)];
        caller.notify("actors.delta", { rows, steps: [showStep(step)] });
      });
      caller.onEnd(stop);
      const rows = await engine.actors({ status: "active", prefix });
      return { rows: rows.map(showActor).toSorted(byAddress) };
    },
  };
}

function showStep(step: JournalRow): ActorStep {
  const { seq, at, address, event_type, outcome, reason, state_before, state_after, trace } = step;
  return {
    seq,
    at: iso(at),
    address,
    event: event_type,
    outcome,
    reason,
    state_before,
    state_after,
    trace,
  };
}

export type Sent = { readonly event: EventData; readonly options: SendOptions };

/** A refusal by the chart is an answer in the engine and an error for whoever typed it.
 *  @throws AgentError event.not_accepted, actor.not_found, actor.ended, actor.quarantined */
export async function sendOrRefuse(
  engine: Engine,
  address: string,
  { event, options }: Sent,
): Promise<SendResult> {
  const result = await engine.send(address, event, options);
  if (result.outcome === "handled") return result;
  const reason = result.reason ?? "not accepted";
  if (reason.startsWith("actor.not_found")) throw nobodyAt(address);
  if (reason.startsWith("actor.ended")) {
    throw new AgentError("actor.ended", `${address} has ended: it is ${result.state}.`);
  }
  if (reason.startsWith("actor.quarantined")) {
    throw new AgentError("actor.quarantined", `${address} was set aside after a fault.`, {
      hint: `\`statehive actors get ${address}\` shows why`,
    });
  }
  throw new AgentError(
    "event.not_accepted",
    `${event.type} was not accepted: ${reason}.`.replace("..", "."),
    {
      hint: `\`statehive actors get ${address}\` shows what it takes now`,
    },
  );
}

import type { Engine, SendOptions, SendResult } from "../../engine/engine.ts";
import type { JournalRow } from "../../engine/tables.ts";
import type { ActorStateRow } from "../../schema/actor-view.ts";
import { AgentError } from "../../schema/errors.ts";
import type { EventData } from "../../schema/event.ts";
import type { ActorStep } from "../../schema/protocol.ts";
import { byAddress, nobodyAt } from "./actor-reads.ts";
import type { NewsBus } from "../news/news.ts";
import { refuseWhenStopping } from "../root.ts";
import type { Handlers } from "./caller.ts";
import { iso, showActor } from "../records/shown.ts";

/** Steps that may wait for a client that reads slowly; it is told how many more there were, and how things are now. */
const watchedSteps = 1_000;

/** Watching and poking actors. */
export function actorHandlers(
  engine: Engine,
  bus: NewsBus,
): Handlers<"actor.send" | "actors.subscribe"> {
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
      const living = () => livingBelow(engine, prefix);
      const stop = bus.subscribe({
        name: "actors",
        capacity: watchedSteps,
        wants: (news) => news.type === "actor.stepped" && news.step.address.startsWith(prefix),
        hear: (news) => {
          if (news.type !== "actor.stepped") return undefined;
          const rows = news.actor === undefined ? [] : [showActor(news.actor)];
          caller.notify("actors.delta", { rows, steps: [showStep(news.step)], dropped: 0 });
          return caller.drained();
        },
        lagged: async (dropped) =>
          caller.notify("actors.delta", { rows: await living(), steps: [], dropped }),
      });
      caller.onEnd(stop);
      return { rows: await living() };
    },
  };
}

async function livingBelow(engine: Engine, prefix: string): Promise<ActorStateRow[]> {
  const rows = await engine.actors({ status: "active", prefix });
  return rows.map(showActor).toSorted(byAddress);
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

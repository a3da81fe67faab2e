import type { Engine, SendOptions, SendResult } from "../../engine/engine.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ActorStateRow } from "../../schema/shown/actor-view.ts";
import { AgentError, toErrorData } from "../../schema/errors.ts";
import type { EventData } from "../../schema/events/event.ts";
import { byAddress, nobodyAt } from "./actor-reads.ts";
import type { NewsBus } from "../news/news.ts";
import { type StepWatch, watchSteps } from "../news/step-watch.ts";
import { refuseWhenStopping } from "../root.ts";
import { newestSteps, showStep } from "../records/newest-steps.ts";
import { showActor } from "../records/shown.ts";
import type { Caller, Handlers } from "./caller.ts";
import { onlyNewest } from "./only-newest.ts";
import type { PokeAudit } from "./poke-audit.ts";

export type ActorHandlerOptions = {
  readonly engine: Engine;
  readonly bus: NewsBus;
  readonly clock: Clock;
  readonly pokes: PokeAudit;
};

const mostActors = 10_000;

/** Watching and poking actors. */
export function actorHandlers(
  options: ActorHandlerOptions,
): Handlers<"actor.send" | "actors.subscribe"> {
  const { engine } = options;
  const watchOnly = onlyNewest();
  return {
    "actor.send": async ({ address, event, payload, idempotency_key }, caller) => {
      if (event === "message.received") await refuseWhenStopping(engine);
      const key =
        idempotency_key === undefined ? {} : { idempotencyKey: `poke ${idempotency_key}` };
      const sent = { event: { ...payload, type: event }, options: { poke: true, ...key } };
      return sendByHand(options, address, { ...sent, caller });
    },
    "actors.subscribe": async ({ prefix, recent }, caller) => {
      const watch = watchActors(options, { prefix, caller });
      watchOnly(caller, watch.stop);
      const steps = await newestSteps(engine.read, { prefix, limit: recent });
      const rows = await rowsBelow(engine, prefix);
      watch.begin(steps.at(-1)?.seq ?? 0);
      return { rows, steps };
    },
  };
}

type Watching = { readonly prefix: string; readonly caller: Caller };

function watchActors(options: ActorHandlerOptions, { prefix, caller }: Watching): StepWatch {
  return watchSteps(options, {
    name: "actors",
    wants: (address) => address.startsWith(prefix),
    keep: ({ step, actor }) => ({
      seq: step.seq,
      step: showStep(step),
      row: actor === undefined ? undefined : showActor(actor),
    }),
    async tell({ news, dropped }) {
      const rows = dropped > 0 ? await rowsBelow(options.engine, prefix) : newestRows(news);
      const steps = news.map(({ step }) => step);
      caller.notify("actors.delta", { rows, steps, dropped });
      await caller.drained();
    },
  });
}

function newestRows(news: readonly { readonly row: ActorStateRow | undefined }[]): ActorStateRow[] {
  const newest = new Map<string, ActorStateRow>();
  for (const { row } of news) if (row !== undefined) newest.set(row.address, row);
  return [...newest.values()];
}

/** Those that live, and those that were set aside. */
async function rowsBelow(engine: Engine, prefix: string): Promise<ActorStateRow[]> {
  const lists = await Promise.all(
    (["active", "quarantined"] as const).map((status) =>
      engine.actors({ status, prefix, limit: mostActors }),
    ),
  );
  return lists.flat().map(showActor).toSorted(byAddress);
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

type ByHand = {
  readonly event: EventData;
  readonly caller: Pick<Caller, "origin" | "name">;
  readonly options?: Pick<SendOptions, "poke" | "idempotencyKey">;
};

/** The same, with a row in the audit that says who sent it, whether it was taken or refused.
 *  @throws AgentError as `sendOrRefuse` */
export async function sendByHand(
  { engine, pokes }: Pick<ActorHandlerOptions, "engine" | "pokes">,
  address: string,
  { event, caller: { origin, name: by }, options }: ByHand,
): Promise<SendResult> {
  try {
    const said = { ...options, origin, record: pokes.record(by) };
    return await sendOrRefuse(engine, address, { event, options: said });
  } catch (thrown) {
    await pokes.refused({ address, event: event.type, by, error: toErrorData(thrown) });
    throw thrown;
  }
}

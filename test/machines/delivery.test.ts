import { describe, expect, it } from "vitest";
import { deliveryMachine } from "../../src/machines/delivery/delivery.machine.ts";
import type { DeliveryContext } from "../../src/schema/contexts/delivery-context.ts";
import { mayRetry } from "../../src/machines/delivery/delivery-rules.ts";
import type { EventData, EventMeta } from "../../src/schema/events/event.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import {
  forgotten,
  type Laws,
  rowsOf,
  type Taken,
  type Walk,
  walk,
  withChart,
} from "./kernel-walk.ts";

/** Everything that can happen to a message of two parts on its way. */

type Ledger = {
  readonly unknown: number;
  readonly turnsGiven: number;
};

const failed = (code: string, more: JsonObject = {}): JsonObject => ({
  error: { code, message: "No.", retryable: false, ...more },
});

const limited = failed("channel.rate_limited", { retryable: true, retry_after_ms: 30_000 });
const gone = failed("channel.refused", { details: { is_gone: true } });

const settled: readonly JsonObject[] = [
  { output: { message_id: "7", parts: 2 } },
  { output: { message_id: null, parts: 1 } },
  limited,
  gone,
  failed("channel.unreachable", { retryable: true }),
  failed("channel.unauthorized"),
  failed("channel.refused"),
  failed("channel.answer_lost"),
  failed("activity.outcome_unknown"),
];

const moves: readonly EventData[] = [
  { type: "turn.granted", edits: null },
  { type: "turn.granted", edits: "3" },
  { type: "delivery.cancel" },
];

const contextOf = (taken: Pick<Taken<Ledger>, "context">) =>
  taken.context as unknown as DeliveryContext;

const isUnknownEnd = ({ event }: Pick<Taken<Ledger>, "event">) => {
  const { code } = (event["error"] ?? {}) as { code?: string };
  return code === "channel.answer_lost" || code === "activity.outcome_unknown";
};

const begunBy = ({ effects, actor }: Omit<Taken<Ledger>, "ledger">) =>
  effects
    .filter(({ kind }) => kind === "activity")
    .map(() => (actor.snapshot.context as DeliveryContext).part);

const laws: Laws<Ledger> = {
  "what may have arrived is never sent again by itself": ({ ledger, state }) =>
    ledger.unknown === 0 || (ledger.unknown === 1 && state === "unknown"),
  "a part that arrived is not sent again": (taken) =>
    contextOf(taken).message_ids.length <= 2 &&
    begunBy(taken).every((part) => part === contextOf(taken).part),
  "each end gives the next one of its conversation its turn, once": ({ isFinal, ledger }) =>
    ledger.turnsGiven === (isFinal ? 1 : 0),
  "its row says how it ended, and is open no more": ({ isFinal, effects, state }) => {
    const [row] = rowsOf(effects, "deliveries", "patch").filter(({ open }) => open === 0);
    return isFinal ? row?.["state"] === state : row === undefined;
  },
  "what failed and may go through waits for a timer, as long as the channel says": ({
    event,
    state,
    effects,
  }) => {
    if (state !== "pending" || event["error"] === undefined) return true;
    const [timer] = effects.filter(({ kind }) => kind === "timer");
    const { retry_after_ms = 0 } = event["error"] as { retry_after_ms?: number };
    return timer?.kind === "timer" && timer.delayMs >= Math.max(1_000, retry_after_ms);
  },
  "nothing is sent before its turn": ({ before, effects }) =>
    before !== undefined || effects.every(({ kind }) => kind !== "activity"),
};

function plan(kind: DeliveryContext["kind"] = "reply"): Walk<Ledger> {
  return {
    machine: deliveryMachine,
    input: {
      delivery_id: "d1",
      connector_id: "tg",
      scope: "1001",
      kind,
      about: "r1",
      text: null,
      reply_to: null,
      edits: null,
      resends: null,
      first_part: 0,
    },
    ledger: { unknown: 0, turnsGiven: 0 },
    moves: ({ actor }) => [
      ...moves,
      ...("retry" in actor.timers ? [{ type: "delivery.retry" }] : []),
    ],
    settlements: { deliverPart: { settled, stopped: [] } },
    count: (taken, { unknown, turnsGiven }) => ({
      unknown: unknown + (isUnknownEnd(taken) && taken.isAccepted ? 1 : 0),
      turnsGiven:
        turnsGiven +
        taken.effects.filter(
          (effect) => effect.kind === "lookup" && effect.name === "grantNextTurn",
        ).length,
    }),
    key: ({ part, attempts, edits, message_ids }: DeliveryContext) => ({
      part,
      attempts: Math.min(attempts, 2),
      edits,
      arrived: message_ids.length,
    }),
    laws,
  };
}

it("reaches every state and takes every transition", () => {
  const walked = walk(plan());
  expect(walked.unreached).toEqual([]);
  expect(walked.untaken).toEqual([]);
});

it.each(["reply", "question", "notice"] as const)(
  "keeps every law on every path of a %s",
  (kind) => {
    expect(walk(plan(kind)).breaches).toEqual({});
  },
);

it("gives up after a day of trying", () => {
  const error = { code: "channel.unreachable", message: "No.", retryable: true };
  const at = (hours: number) => ({
    context: { created_at: 0 } as DeliveryContext,
    event: {
      type: "xstate.error.actor.deliverPart",
      error,
      $: { at: hours * 3_600_000 } as EventMeta,
    },
  });
  expect([mayRetry(at(23)), mayRetry(at(25))]).toEqual([true, false]);
});

describe("a planted fault breaks the law it offends:", () => {
  const breachesOf = (machine: Walk<Ledger>["machine"]) =>
    Object.keys(walk({ ...plan(), machine }).breaches);

  it("a turn that nobody hands on", () => {
    const machine = deliveryMachine.provide({ actions: { concludeDelivery: forgotten } });
    expect(breachesOf(machine)).toContain(
      "each end gives the next one of its conversation its turn, once",
    );
  });

  it("an unknown end that is tried again", () => {
    const machine = withChart(deliveryMachine, "states.sending.invoke.onError", [
      { target: "pending", actions: ["rememberFailure", "scheduleRetry"] },
    ]);
    expect(breachesOf(machine)).toContain("what may have arrived is never sent again by itself");
  });
});

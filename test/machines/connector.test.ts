import { expect, it } from "vitest";
import { connectorMachine } from "../../src/machines/connector/connector.machine.ts";
import { backoffMs, conflictMs } from "../../src/machines/connector/connector-rules.ts";
import type { ConnectorContext } from "../../src/schema/contexts/connector-context.ts";
import type { EventData } from "../../src/schema/events/event.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import { type Laws, rowsOf, sentTo, type Walk, walk } from "./kernel-walk.ts";

/** Everything that can happen to a connector. */

const failed = (code: string, more: JsonObject = {}): JsonObject => ({
  error: { code, message: "No.", retryable: false, ...more },
});

const failures = [
  failed("channel.unauthorized"),
  failed("channel.conflict", { retryable: true }),
  failed("channel.refused"),
  failed("channel.unreachable", { retryable: true }),
  failed("channel.rate_limited", { retryable: true, retry_after_ms: 30_000 }),
];

const update = { update_id: "7", conversation: null, sender: null, what: { kind: "stop" } };
const row = { connector_id: "tg", update_id: "7", verdict: "accepted" };
const judged = { updates: [row], buckets: [{}], pairings: [{}], refusals: [], rest: [] };
const choice = { connector_id: "tg", scope: "1001", user_scope: "1001", agent_id: "ops", at: 1 };
const refusal = { by: "tg:5", reason: "not_allowed", count: 1, trace: "t9" };
const pairing = { connector_id: "tg", user_scope: "5", scope: "5", code: "ABC", state: "open" };
const due = {
  scope: "1001",
  kind: "notice",
  about: null,
  text: "hi",
  reply_to: null,
  edits: null,
  resends: null,
};
const lost = { ...due, delivery_id: "d3", message_ids: ["41"], state: "unknown" };
const error = { code: "internal", message: "A step failed.", retryable: false };

const moves: readonly EventData[] = [
  { type: "connector.start" },
  { type: "connector.start", intake: "webhook" },
  { type: "connector.stop" },
  { type: "updates.received", updates: [update] },
  { type: "updates.judged", ...judged, refusals: [refusal] },
  { type: "updates.judged", ...judged, refusals: [refusal], rest: [update] },
  { type: "updates.deferred", updates: [update] },
  { type: "agent.chosen", choice },
  { type: "delivery.due", ...due },
  { type: "delivery.resend", delivery_id: "d3", by: "cli" },
  { type: "resendable.found", delivery: lost, by: "cli" },
  { type: "message.refused", scope: "1001", reply_to: null, reason: "session.queue_full: full" },
  { type: "pairing.approve", code: "ABC", by: "cli" },
  { type: "pairing.revoke", user_scope: "5", by: "cli" },
  { type: "pairing.found", pairing, state: "approved", by: "cli" },
  { type: "actor.failed", address: "connector/tg/delivery/d1", machine: "delivery", error },
  { type: "actor.failed", address: "connector/tg/download/f1", machine: "download", error },
];

const contextOf = (taken: { readonly context: Readonly<Record<string, unknown>> }) =>
  taken.context as unknown as ConnectorContext;

const lookups = (effects: Parameters<typeof rowsOf>[0], name: string) =>
  effects.filter((effect) => effect.kind === "lookup" && effect.name === name);

const laws: Laws<null> = {
  "what was received is judged in the step that keeps how far it reached": ({
    event,
    effects,
    isAccepted,
  }) => {
    const output = event["output"] as { updates?: readonly unknown[] } | undefined;
    const isBrought = event.type === "updates.received" || event.type === "updates.deferred";
    const brought = isBrought ? 1 : (output?.updates?.length ?? 0);
    return !isAccepted || lookups(effects, "judgeUpdates").length === (brought > 0 ? 1 : 0);
  },
  "it polls in the state that says so, and in no other": ({ state, actor }) =>
    (state === "polling") ===
    Object.values(actor.activities).some(
      ({ src, stopping }) => src === "receiveUpdates" && !stopping,
    ),
  "every wait that heals by itself has its timer": ({ state, actor }) =>
    !["connecting", "polling", "backing_off", "conflict"].includes(state) ||
    Object.keys(actor.timers).length === 1,
  "what wants a person says why": ({ state, context }) =>
    state !== "unauthorized" || contextOf({ context }).error !== null,
  "whoever is refused by a full session hears of it": ({ event, effects }) =>
    event.type !== "message.refused" || sentTo(effects, "self", "delivery.due").length === 1,
  "what is to be said has an actor": ({ event, effects }) =>
    event.type !== "delivery.due" || effects.some(({ kind }) => kind === "spawn"),
  "what is sent again begins behind what arrived, is not sent again by the same, and stands in the audit":
    ({ event, effects }) => {
      if (event.type !== "resendable.found") return true;
      const spawned = effects.find((effect) => effect.kind === "spawn");
      const resent = rowsOf(effects, "deliveries", "patch")[0]?.["resent_as"];
      return (
        spawned?.input["first_part"] === 1 &&
        spawned.input["delivery_id"] === resent &&
        rowsOf(effects, "audit")[0]?.["decided_by"] === "cli"
      );
    },
  "what was left for later is judged later": ({ event, effects }) =>
    event.type !== "updates.judged" ||
    sentTo(effects, "self", "updates.deferred").length === (event["rest"] as unknown[]).length,
  "who was chosen is kept": ({ event, effects }) =>
    event.type !== "agent.chosen" || rowsOf(effects, "chosen_agents").length === 1,
  "a refusal of a stranger stands in the audit": ({ event, effects }) =>
    event.type !== "updates.judged" || rowsOf(effects, "audit").length === 1,
  "who is let in stands in the audit, by whom": ({ event, effects }) =>
    event.type !== "pairing.found" || rowsOf(effects, "audit")[0]?.["decided_by"] === "cli",
  "a delivery that was set aside is dead, and hands its turn on": ({ event, effects }) =>
    event.type !== "actor.failed" ||
    event["machine"] !== "delivery" ||
    (rowsOf(effects, "deliveries", "patch")[0]?.["state"] === "dead" &&
      lookups(effects, "grantNextTurn").length === 1),
};

function plan(intake: "polling" | "webhook"): Walk<null> {
  return {
    machine: connectorMachine,
    input: { connector_id: "tg", type: "telegram", intake },
    ledger: null,
    moves: () => moves,
    settlements: {
      openChannel: { settled: [{ output: { id: "1", name: "bot" } }, ...failures], stopped: [] },
      receiveUpdates: {
        settled: [
          { output: { updates: [], cursor: "7" } },
          { output: { updates: [update], cursor: "8" } },
          ...failures,
        ],
        stopped: [],
      },
    },
    originOf: ({ type }) => (type === "updates.received" ? "channel" : "actor"),
    count: () => null,
    key: (context: ConnectorContext) => ({
      conflicts: Math.min(context.conflicts, 8),
      settled: context.is_settled,
      failed: Math.min(context.failures, 2),
      how: context.intake,
      last: context.error?.code ?? null,
    }),
    laws,
  };
}

it("reaches every state and takes every transition", () => {
  const walks = [walk(plan("polling")), walk(plan("webhook"))];
  const missed = (pick: (walked: (typeof walks)[number]) => readonly string[]) =>
    pick(walks[0] as never).filter((name) => walks.every((walked) => pick(walked).includes(name)));
  expect(missed(({ unreached }) => unreached)).toEqual([]);
  expect(missed(({ untaken }) => untaken)).toEqual([]);
});

it.each(["polling", "webhook"] as const)("keeps every law on every path, by %s", (intake) => {
  expect(walk(plan(intake)).breaches).toEqual({});
});

it("waits longer with each failure in a row, and as long as the channel says", () => {
  const wait = (inARow: number, more = {}) =>
    backoffMs({ context: { failures: inARow, error: null, ...more } as ConnectorContext });
  expect([1, 2, 3, 7, 100].map((inARow) => wait(inARow))).toEqual([
    1_000, 2_000, 4_000, 60_000, 60_000,
  ]);
  expect(wait(1, { error: { retry_after_ms: 90_000 } })).toBe(90_000);
  expect(conflictMs({ context: { conflicts: 3 } as ConnectorContext })).toBe(30_000);
  const settled = { conflicts: 3, is_settled: true } as ConnectorContext;
  expect(conflictMs({ context: settled })).toBe(9_000);
});

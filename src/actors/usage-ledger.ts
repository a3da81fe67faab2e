import type { SettledAttempt } from "../engine/activities/activity-kind.ts";
import type { RowReader, RowWriter } from "../ports/store.ts";
import type { CallModelInput, CallModelOutput } from "../schema/activities.ts";
import { type Usage, usage as usageShape } from "../schema/llm.ts";
import {
  type ModelCall,
  modelCallTable,
  type UsageKind,
  type UsageTotal,
  usageTotalTable,
} from "../schema/rows/model-rows.ts";

/** The ledger of model calls: a row for each that was answered, whole or broken off, and totals that are read by one key.
 *  Written in the transaction that settles the attempt, whatever becomes of its run. */

type Store = RowReader & RowWriter;
export type Counted = { readonly model: string; readonly usage: Usage; readonly isWhole: boolean };

/** For whom a model is asked: a run, or other work with an id of its own. `session_id` is empty where no session asks. */
export type Spender = Pick<CallModelInput, "run_id" | "session_id" | "agent_id">;

export type Costs = (model: string, usage: Usage) => number | null;

type Asked = Spender & { readonly round: number };

/** @param costOf in millionths of a US dollar; null where nobody knows the price
 *  @param assumed what an attempt used whose end nobody saw, where that was estimated */
export function recordModelCall(
  store: Store,
  attempt: SettledAttempt<Asked>,
  { costOf, assumed }: { readonly costOf: Costs; readonly assumed: Counted | undefined },
): void {
  if (attempt.attempt > 1) countRetry(store, attempt);
  const answered = answeredBy(attempt) ?? assumed;
  if (answered === undefined) return;
  const { model, usage, isWhole } = answered;
  const { session_id, agent_id, run_id, round } = attempt.input;
  const [newest] = store.select(modelCallTable, { index: "key", descending: true, limit: 1 });
  const call: ModelCall = {
    n: (newest?.n ?? 0) + 1,
    at: attempt.at,
    session_id,
    agent_id,
    run_id,
    trace_id: attempt.trace,
    round,
    attempt: attempt.attempt,
    model,
    outcome: isWhole ? "answered" : "broken_off",
    ...usage,
    micro_usd: costOf(model, usage),
  };
  store.put(modelCallTable, call);
  const totals = { ...totalsOf(call, call.at), model: `model/${model}` };
  for (const [kind, scope] of Object.entries(totals) as [UsageKind, string][]) {
    if (kind !== "session" || session_id !== "") addTo(store, { kind, scope }, call);
  }
}

export function retriesOf(runId: string): string {
  return `retries/${runId}`;
}

function countRetry(store: Store, { input, at }: SettledAttempt<Asked>): void {
  const scope = retriesOf(input.run_id);
  const before = store.get(usageTotalTable, scope) ?? {
    scope,
    kind: "retries",
    last_at: at,
    ...nothingYet,
  };
  store.put(usageTotalTable, { ...before, calls: before.calls + 1 });
}

/** Of a failed attempt only what the provider had counted is known, and only if it had begun to answer. */
function answeredBy({ settlement }: SettledAttempt<Asked>): Counted | undefined {
  if (settlement.ok) {
    const { model, usage } = settlement.output as unknown as CallModelOutput;
    return { model, usage, isWhole: true };
  }
  const { model, usage } = settlement.error.details ?? {};
  const counted = usageShape.safeParse(usage);
  if (typeof model !== "string" || !counted.success) return undefined;
  return { model, usage: counted.data, isWhole: false };
}

/** Days are those of UTC. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The names of the totals that a call of this run counts into. */
export function totalsOf(
  { run_id, session_id, agent_id }: Spender,
  at: number,
): { readonly [kind in Exclude<UsageKind, "model" | "retries">]: string } {
  const day = dayOf(at);
  return {
    run: `run/${run_id}`,
    session: `session/${session_id}`,
    agent: `agent/${agent_id}`,
    day: `day/${day}`,
    agent_day: `agent/${agent_id}/day/${day}`,
  };
}

type Scope = Pick<UsageTotal, "kind" | "scope">;

/** An index orders by `last_at`: it is moved once a minute, so that most calls touch no index. */
const lastAtMoves = 60_000;

function addTo(store: Store, { kind, scope }: Scope, call: ModelCall): void {
  const before = store.get(usageTotalTable, scope);
  if (before === undefined) {
    const { at: last_at } = call;
    store.put(usageTotalTable, { scope, kind, last_at, ...added(nothingYet, call) });
    return;
  }
  const isLater = call.at - before.last_at >= lastAtMoves;
  const moved = isLater ? { last_at: call.at } : {};
  store.patch(usageTotalTable, [scope], { ...added(before, call), ...moved });
}

type Counts = Omit<UsageTotal, "scope" | "kind" | "last_at">;

const nothingYet: Counts = {
  calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  micro_usd: 0,
  unpriced_calls: 0,
};

function added(before: Counts, call: ModelCall): Counts {
  return {
    calls: before.calls + 1,
    input_tokens: sum(before.input_tokens, call.input_tokens),
    output_tokens: sum(before.output_tokens, call.output_tokens),
    cache_read_tokens: sum(before.cache_read_tokens, call.cache_read_tokens),
    cache_write_tokens: sum(before.cache_write_tokens, call.cache_write_tokens),
    micro_usd: sum(before.micro_usd, call.micro_usd ?? 0),
    unpriced_calls: before.unpriced_calls + (call.micro_usd === null ? 1 : 0),
  };
}

/** A provider's counts are foreign: they must not make a number that no row holds. */
function sum(one: number, other: number): number {
  return Math.min(one + other, Number.MAX_SAFE_INTEGER);
}

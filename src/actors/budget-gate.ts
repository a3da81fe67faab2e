import type { StartingAttempt } from "../engine/activities/activity-kind.ts";
import {
  type Budgets,
  exceeded,
  limitsOf,
  type Need,
  stricterBudget,
  type Use,
} from "../policy/budget.ts";
import { budgetQuestion } from "../policy/budget-words.ts";
import type { RowReader, RowWriter } from "../ports/store.ts";
import type { CallModelInput } from "../schema/activities.ts";
import type { Amounts, BudgetKind, OverBudget } from "../schema/budget.ts";
import {
  type BudgetHeld,
  type BudgetHold,
  budgetAllowanceTable,
} from "../schema/rows/budget-rows.ts";
import type { ErrorData } from "../schema/errors.ts";
import type { Usage } from "../schema/llm.ts";
import { type UsageTotal, usageTotalTable } from "../schema/rows/model-rows.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { runTable } from "../schema/rows/run-rows.ts";
import { sessionOfRun } from "./address.ts";
import type { Agents, AgentSettings } from "./agent.ts";
import { agentOfRun } from "./agent-of-run.ts";
import { approversOf, type Connector } from "./approvers.ts";
import { heldAgainst, hold } from "./budget-holds.ts";
import { byteLength, estimatedInput } from "./call-estimate.ts";
import type { RecallOptions } from "./memory/using/recall.ts";
import { type Costs, type Counted, totalsOf } from "./usage-ledger.ts";

/** Model calls are let through one by one, in the transaction that marks them as started: what each may use at most is held
 *  against every budget, so that calls side by side cannot use the same remainder. */

type Store = RowReader & RowWriter;

export type BudgetGateOptions = {
  readonly agents: Agents;
  readonly tools: ToolRegistry;
  readonly costOf: Costs;
  /** What the whole service may use in a day. */
  readonly dayBudget: () => Amounts;
  readonly connectors: () => readonly Connector[];
  /** Absent: there is no memory. */
  readonly recall?: RecallOptions;
};

export type BudgetGate = (
  store: Store,
  input: CallModelInput,
  attempt: Pick<StartingAttempt, "key" | "at">,
) => ErrorData | undefined;

/** @returns lets a call through, or says which budget it might not fit into; without budgets nothing is written
 *  @throws AgentError as the call itself would: its agent or model is gone */
export function createBudgetGate(options: BudgetGateOptions): BudgetGate {
  return (store, input, { key, at }) => {
    const { pinned, live } = agentOfRun(options.agents, store, input);
    const budget = stricterBudget(pinned.budget, live.budget);
    const totals = totalsOf(input, at);
    const limits = limitsOf(budget, options.dayBudget(), totals);
    if (limits.length === 0) return undefined;
    const call = mostOf(options, store, { agent: pinned, input });
    const mayBeUnpriced = upTo(store, totals.run, "unpriced") > 0;
    const over = reserve(store, { limits, call, key, mayBeUnpriced });
    if (over === undefined) return undefined;
    const { summary: message } = budgetQuestion(over);
    const approvers = whoDecides(options, store, input);
    return { code: "budget.exceeded", message, retryable: false, details: { over, approvers } };
  };
}

type Reservation = Pick<Budgets, "limits" | "mayBeUnpriced"> & {
  readonly call: MostUse;
  /** Of the activity that asks. */
  readonly key: string;
};

/** Holds what a call may use at most against the budgets, or says which of them it might not fit into. */
export function reserve(
  store: Store,
  { limits, call, key, mayBeUnpriced }: Reservation,
): OverBudget | undefined {
  const over = exceeded({
    limits,
    need: call,
    mayBeUnpriced,
    useOf: (limit) => useOf(store, limit),
  });
  if (over !== undefined) return over;
  const { model, tokens, input_tokens, micro_usd } = call;
  const totals = [...new Set(limits.map(({ total }) => total))];
  hold(store, { activity: key, model, input_tokens, tokens, micro_usd: micro_usd ?? 0, totals });
  return undefined;
}

function whoDecides(
  { connectors }: BudgetGateOptions,
  read: RowReader,
  { run_id }: CallModelInput,
): string[] {
  const address = read.get(runTable, run_id)?.address ?? "";
  return approversOf(connectors(), sessionOfRun(address), "permission");
}

/** Nobody saw the end of a call that died with the service: its input was most likely read, and is counted. */
export function assumedOf(held: BudgetHold | undefined): Counted | undefined {
  if (held === undefined) return undefined;
  const { model, input_tokens } = held;
  return { model, usage: plain(input_tokens, 0), isWhole: false };
}

type Counter = { readonly total: string; readonly kind: BudgetKind };

export function useOf(read: RowReader, { total, kind }: Counter): Use {
  const held = heldAgainst(read, total);
  const row = read.get(usageTotalTable, total);
  return { ...useIn(kind, row, held), upTo: upTo(read, total, kind) };
}

/** @param row the usage total; undefined where no model was asked yet */
export function useIn(
  kind: BudgetKind,
  row: UsageTotal | undefined,
  held: Pick<BudgetHeld, "tokens" | "micro_usd">,
): Pick<Use, "used" | "held"> {
  if (kind !== "tokens") return { used: row?.micro_usd ?? 0, held: held.micro_usd };
  return { used: (row?.input_tokens ?? 0) + (row?.output_tokens ?? 0), held: held.tokens };
}

function upTo(read: RowReader, total: string, kind: BudgetKind): number {
  return read.get(budgetAllowanceTable, total, kind)?.up_to ?? 0;
}

type OfAgent = { readonly agent: AgentSettings; readonly input: CallModelInput };

/** What a call may use at most, by what is known before it is made. */
function mostOf(
  { tools, costOf, recall }: BudgetGateOptions,
  read: RowReader,
  { agent, input }: OfAgent,
) {
  const { provider, model: modelId } = agent.model();
  const model = `${provider.id}/${modelId}`;
  const offered = () => (provider.supportsTools ? tools.offered(agent.policy.allow) : []);
  const beginning = () => byteLength(agent.systemPrompt + JSON.stringify(offered()));
  const input_tokens = estimatedInput(read, input, { beginning, recalled: recall?.tokens() ?? 0 });
  const output_tokens = agent.maxTokens + agent.thinkingBudget;
  return mostUse(costOf, { model, input_tokens, output_tokens });
}

/** `micro_usd` is null where the model has no price. */
export type MostUse = Need & { readonly input_tokens: number };

type Size = {
  /** `provider/model` */
  readonly model: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
};

export function mostUse(costOf: Costs, { model, input_tokens, output_tokens }: Size): MostUse {
  const costs = [plain(input_tokens, output_tokens), cached(input_tokens, output_tokens)]
    .map((usage) => costOf(model, usage))
    .filter((cost) => cost !== null);
  const micro_usd = costs.length === 0 ? null : Math.max(...costs);
  return { model, input_tokens, tokens: input_tokens + output_tokens, micro_usd };
}

function plain(input_tokens: number, output_tokens: number): Usage {
  return { input_tokens, output_tokens, cache_read_tokens: 0, cache_write_tokens: 0 };
}

/** Writing the provider's cache costs more than not using it. */
function cached(input_tokens: number, output_tokens: number): Usage {
  return { ...plain(input_tokens, output_tokens), cache_write_tokens: input_tokens };
}

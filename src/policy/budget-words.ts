import type { BudgetScope, OverBudget } from "../schema/budget.ts";

/** What people are told of a budget that a call might not fit into. */

export function budgetQuestion(over: OverBudget): { summary: string; reason: string } {
  return { summary: summaryOf(over), reason: reasonOf(over) };
}

/** Ends the run that nobody lets go on. */
export function stoppedByBudget(over: OverBudget, why: string): string {
  return `${summaryOf(over)} ${why} To go on, ${remedyOf(over)}.`;
}

function summaryOf(over: OverBudget): string {
  const { scope, kind, limit, up_to, used, held, needed, model } = over;
  if (kind === "unpriced")
    return `${model} has no price in \`prices\`, so the limit of ${usd(limit)} ${perScope[scope]} can't be held.`;
  const { amount, of, may } = kind === "usd" ? money : tokens;
  const extra = up_to > limit ? `, and was let go up to ${amount(up_to)}` : "";
  const underWay = held === 0 ? "" : `, calls under way may need ${amount(held)}`;
  return `${subjectOf(over)} has used ${amount(used)} of ${of(limit)}${whenOf(scope)}${extra}${underWay}; the next model call may ${may(needed)}.`;
}

function reasonOf(over: OverBudget): string {
  const { scope, kind, limit, needed } = over;
  const key = `\`${keys[scope]}\``;
  if (kind === "unpriced")
    return `${key} limits money. \`continue\` lets this run use the model all the same, without that limit; \`stop\` ends the run.`;
  const { of } = kind === "usd" ? money : tokens;
  const until = scope === "agent_day" || scope === "day" ? ", until the day ends" : "";
  return `${key} is ${of(limit)}. \`continue\` allows ${of(Math.max(limit, needed))} more from now on${until}; \`stop\` ends the run.`;
}

function remedyOf({ scope, kind, model }: OverBudget): string {
  if (kind === "unpriced")
    return `give ${model} a price under \`prices\` in config/main.yaml, or take \`${keys[scope]}.usd\` away`;
  const file = scope === "day" ? "config/main.yaml" : "the agent's file";
  return `raise \`${keys[scope]}.${kind}\` in ${file}${waits[scope]}`;
}

const tokens = {
  amount: grouped,
  of: (amount: number) => `${grouped(amount)} tokens`,
  may: (amount: number) => `need up to ${grouped(amount)} more`,
};

const money = {
  amount: usd,
  of: usd,
  may: (amount: number) => `cost up to ${usd(amount)} more`,
};

function subjectOf({ scope, total }: OverBudget): string {
  if (scope === "agent_day") return `The agent ${total.split("/")[1] ?? ""}`;
  if (scope === "day") return "The service";
  return scope === "run" ? "The run" : "The session";
}

function whenOf(scope: BudgetScope): string {
  return scope === "agent_day" || scope === "day" ? " today (UTC)" : "";
}

const perScope: { readonly [scope in BudgetScope]: string } = {
  run: "a run",
  session: "a session",
  agent_day: "a day for the agent",
  day: "a day for the service",
};

const keys: { readonly [scope in BudgetScope]: string } = {
  run: "budget.run",
  session: "budget.session",
  agent_day: "budget.day",
  day: "budget.day",
};

const waits: { readonly [scope in BudgetScope]: string } = {
  run: "",
  session: ", or begin a new session",
  agent_day: ", or wait for the next day",
  day: ", or wait for the next day",
};

/** `101 200` */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, " ");
}

/** `$4.98`; small sums with all that they have. */
function usd(micro: number): string {
  const dollars = micro / 1_000_000;
  return `$${micro % 10_000 === 0 ? dollars.toFixed(micro % 1_000_000 === 0 ? 0 : 2) : dollars.toFixed(6).replace(/0+$/, "")}`;
}

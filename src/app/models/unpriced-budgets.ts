import type { LoadedConfig } from "../../config/load-config.ts";
import { noUsage } from "../../schema/llm.ts";
import { listAgents } from "../agents/agent-list.ts";
import { answeringBy } from "./providers.ts";

export type UnpricedBudget = {
  readonly agent: string;
  /** `provider/model` */
  readonly model: string;
  readonly message: string;
};

/** Enabled agents whose limit in dollars cannot be held, because the model that would answer now has no price. */
export function unpricedBudgets(
  loaded: Pick<LoadedConfig, "config" | "secrets">,
): readonly UnpricedBudget[] {
  const { config } = loaded;
  const { models, costOf } = answeringBy(loaded);
  return listAgents({ now: () => config, models }).flatMap(({ id: agent, model, state }) => {
    const own = config.agents.find(({ id }) => id === agent)?.budget;
    const isLimited = [own?.run, own?.session, own?.day, config.budget.day].some(
      (amounts) => typeof amounts?.usd === "number",
    );
    if (!isLimited || model === null || state === "disabled") return [];
    if (costOf(model, noUsage) !== null) return [];
    const message = `${model} has no price in \`prices\`, so ${agent}'s limit in dollars can't be held; each of its runs asks.`;
    return [{ agent, model, message }];
  });
}

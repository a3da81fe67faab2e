import { listAgents, showAgent } from "../agents/agent-list.ts";
import type { LiveConfig } from "../config/live-config.ts";
import { type BudgetsOf, everybody } from "../records/budgets-of.ts";
import type { Handlers } from "./caller.ts";

type Methods = "config.reload" | "agents.list" | "agents.show";

/** The configuration that is at work. */
export function configHandlers(live: LiveConfig, budgetsOf: BudgetsOf): Handlers<Methods> {
  return {
    "config.reload": (_params, { name, origin }) =>
      live.reload(name === origin ? name : `${name} (${origin})`),
    "agents.list": async () => listAgents(live),
    "agents.show": async ({ id }) => ({
      ...showAgent(live, id),
      budgets: await budgetsOf({ ...everybody, agent_id: id }, "agent_day"),
    }),
  };
}

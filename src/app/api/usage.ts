import type { CommittedReader } from "../../ports/store.ts";
import { usageTotalTable } from "../../schema/rows/model-rows.ts";
import type { Handlers } from "./caller.ts";
import { iso } from "../records/shown.ts";
import type { UsageGroup } from "../../schema/socket/protocol.ts";
import { runTable } from "../../schema/rows/run-rows.ts";
import { sessionTable } from "../../schema/rows/session-rows.ts";
import { type BudgetsOf, everybody } from "../records/budgets-of.ts";
import { showTotal } from "../records/usage-of.ts";

/** What model calls used and cost. */
export function usageReads(read: CommittedReader, budgetsOf: BudgetsOf): Handlers<"usage.totals"> {
  return {
    "usage.totals": async ({ by, limit }) => {
      const query = { index: "by_kind", equals: [by], descending: true, limit };
      const totals = await read.select(usageTotalTable, query);
      return Promise.all(
        totals.map(async (total) => {
          const name = total.scope.slice(by.length + 1);
          const budgets = (await limitsBeside(read, budgetsOf, { by, name })).filter(
            (budget) => by === "agent" || budget.total === total.scope,
          );
          return { name, ...showTotal(total), last_at: iso(total.last_at), budgets };
        }),
      );
    },
  };
}

type Row = { readonly by: UsageGroup; readonly name: string };

async function limitsBeside(read: CommittedReader, budgetsOf: BudgetsOf, { by, name }: Row) {
  switch (by) {
    case "run": {
      const { agent_id } = (await read.get(runTable, name)) ?? everybody;
      return budgetsOf({ ...everybody, agent_id, run_id: name }, "run");
    }
    case "session": {
      const { agent_id } = (await read.get(sessionTable, name)) ?? everybody;
      return budgetsOf({ ...everybody, agent_id, session_id: name }, "session");
    }
    case "agent":
      return budgetsOf({ ...everybody, agent_id: name }, "agent_day");
    case "day":
      return budgetsOf(everybody, "day");
    case "model":
      return [];
  }
}

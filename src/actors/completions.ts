import type { RowCompletion } from "../engine/engine.ts";
import { chained } from "../policy/audit-chain.ts";
import type { RowReader, RowWriter } from "../ports/store.ts";
import type { Json } from "../schema/json.ts";
import { auditHeadTable, type AuditRow } from "../schema/rows/audit-rows.ts";
import type { BudgetAllowance } from "../schema/rows/budget-rows.ts";
import { type HistoryCut, historyCutTable, pastCutTable } from "../schema/rows/model-rows.ts";
import { agentConfigTable, type AgentConfigRow } from "../schema/rows/run-rows.ts";
import type { Agents } from "./agent.ts";
import { useOf } from "./budget-gate.ts";

export type CompletionParts = {
  readonly agents: Agents;
  readonly redact: <T extends Json>(value: T) => T;
};

/** What a machine cannot know of the row it writes: its place in the audit chain, the text of a configuration, how much of a
 *  budget is used. */
export function createCompletions(parts: CompletionParts): {
  readonly [table: string]: RowCompletion;
} {
  return {
    audit: (row, store) => {
      const placed = chained(row as AuditRow, store.get(auditHeadTable, "audit"));
      store.put(auditHeadTable, { name: "audit", n: placed.n, hash: placed.hash });
      return placed;
    },
    history_cuts: (row, store) => cutAnew(row as HistoryCut, store),
    budget_allowances: (row, store) => reachingFromNow(row as BudgetAllowance, store),
    agent_configs: (row, store) => withConfig(parts, row as AgentConfigRow, store),
  };
}

/** The cut before it is kept for forks. Whoever only moves the beginning says nothing of what was said before it. */
function cutAnew(row: HistoryCut, store: RowReader & RowWriter): HistoryCut {
  const before = store.get(historyCutTable, row.session_id);
  if (before === undefined) return row;
  store.put(pastCutTable, before);
  if (row.summary !== null) return row;
  return { ...row, summary: before.summary, summary_until: before.summary_until };
}

function reachingFromNow(row: BudgetAllowance, store: RowReader): BudgetAllowance {
  const { used, held, upTo } = useOf(store, row);
  return { ...row, up_to: Math.max(upTo, used + held + row.more) };
}

/** The first run that is pinned to a configuration keeps it. */
function withConfig(
  { agents, redact }: CompletionParts,
  row: AgentConfigRow,
  store: RowReader,
): AgentConfigRow {
  const kept = store.get(agentConfigTable, row.hash);
  if (kept !== undefined && kept.config !== null) return kept;
  const agent = agents.get(row.agent_id);
  return agent?.configHash === row.hash ? { ...row, config: redact(agent.config) } : row;
}

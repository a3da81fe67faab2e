import { dayOf } from "../../actors/usage-ledger.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { noUsage, type Usage } from "../../schema/llm.ts";
import { type UsageTotal, usageTotalTable } from "../../schema/rows/model-rows.ts";
import type { ShownUsage } from "../../schema/shown/shown.ts";

/** What a run, a session or a day used and cost, from the ledger. */

/** Of what asked no model. */
export const freeUsage: ShownUsage = { ...noUsage, calls: 0, cost_usd: 0, unpriced_calls: 0 };

/** @param known for a run from before there was a ledger: its tokens, without their cost */
export async function usageOfRun(
  read: CommittedReader,
  runId: string,
  known: Usage = noUsage,
): Promise<ShownUsage> {
  const total = await read.get(usageTotalTable, `run/${runId}`);
  if (total !== undefined) return showTotal(total);
  return known.input_tokens === 0 ? freeUsage : { ...freeUsage, ...known, cost_usd: null };
}

export async function usageOfSession(read: CommittedReader, id: string): Promise<ShownUsage> {
  return showTotal(await read.get(usageTotalTable, `session/${id}`));
}

export async function usageOfDay(read: CommittedReader, at: number): Promise<ShownUsage> {
  return showTotal(await read.get(usageTotalTable, `day/${dayOf(at)}`));
}

export function showTotal(total: UsageTotal | undefined): ShownUsage {
  if (total === undefined) return freeUsage;
  const { scope: _scope, kind: _kind, last_at: _last, micro_usd, ...counts } = total;
  const isUnknown = counts.calls > 0 && counts.unpriced_calls === counts.calls;
  return { ...counts, cost_usd: isUnknown ? null : micro_usd / 1_000_000 };
}

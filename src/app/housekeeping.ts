import type { Engine, Retention } from "../engine/engine.ts";
import type { Clock } from "../ports/clock.ts";
import { removeOldOutputs } from "../tools/kept-outputs.ts";
import type { Files } from "../ports/files.ts";
import type { Log } from "../ports/log.ts";
import { budgetAllowanceTable } from "../schema/rows/budget-rows.ts";
import { fileOriginTable } from "../schema/rows/file-origin-rows.ts";
import { modelCallTable, usageTotalTable } from "../schema/rows/model-rows.ts";
import { auditTable } from "../schema/rows/audit-rows.ts";
import {
  connectorUpdateTable,
  deliveryTable,
  pairingTable,
  previewTable,
  rateBucketTable,
} from "../schema/rows/channel-rows.ts";
import { memoryChangeTable, recallTable } from "../schema/rows/memory-rows.ts";
import { joinedTable } from "../schema/rows/session-rows.ts";
import { unusedCuts } from "./fork/unused-cuts.ts";

export type Workspace = { readonly workspace: string; readonly files: Files };

export type HousekeepingOptions = {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
  /** Gives the space of what was deleted back to the disk; absent where there is no file. */
  readonly reclaim?: () => Promise<void>;
  /** Of the agents; old outputs there go. */
  readonly workspaces?: () => readonly Workspace[];
  /** Asked each time. */
  readonly retention: () => {
    readonly journal_days: number;
    readonly audit_days: number;
    readonly usage_days: number;
    readonly memory_days: number;
  };
  /** Takes away what belonged to changes of memory that are gone; absent: there is no memory. */
  readonly tidyMemory?: () => Promise<void>;
};

const dayMs = 86_400_000;
/** No channel brings the same update again after a day. */
const updatesDays = 3;
/** By then every bucket is full, and a stranger who was noted is a new one. */
const bucketsDays = 1;
const previewsDays = 2;
const unansweredPairingsDays = 30;
const firstAfterMs = 60_000;
const endedActorsDays = 7;

/** Once a day, and soon after each start: what retention no longer keeps is deleted, in small transactions.
 *  @returns stops it */
export function keepHouse(options: HousekeepingOptions): () => void {
  const { engine, clock, log, retention, reclaim } = options;
  const before = (days: number) => clock.now() - days * dayMs;
  let cancel = clock.after(firstAfterMs, run);
  function run(): void {
    cancel = clock.after(dayMs, run);
    void tidyAndPrune();
  }
  async function tidyAndPrune(): Promise<void> {
    const removed = await Promise.all((options.workspaces?.() ?? []).map(tidy));
    await prune(removed.flat());
  }
  /** @returns the marks of what is gone */
  async function tidy({ workspace, files }: Workspace) {
    try {
      const removed = await removeOldOutputs(files, clock.now());
      if (removed.length > 0) log("info", "old outputs were removed", { files: removed.length });
      return removed.map((path) => ({
        table: fileOriginTable.name,
        query: { index: "by_workspace", equals: [workspace], from: path, upTo: path },
      }));
    } catch (error) {
      log("warn", "old outputs could not be removed", { error: String(error) });
      return [];
    }
  }
  async function prune(marks: Retention["rows"] = []): Promise<void> {
    const { journal_days, audit_days, usage_days, memory_days } = retention();
    try {
      const rows = await engine.prune({
        journalBefore: before(journal_days),
        endedActorsBefore: before(endedActorsDays),
        idempotencyBefore: before(endedActorsDays),
        rows: [
          { table: auditTable.name, before: before(audit_days) },
          { table: joinedTable.name, before: before(journal_days) },
          { table: recallTable.name, index: "by_at", before: before(journal_days) },
          ...channelRows(before, journal_days),
          { table: modelCallTable.name, before: before(usage_days) },
          { table: usageTotalTable.name, index: "by_last", before: before(usage_days) },
          { table: memoryChangeTable.name, index: "by_at", before: before(memory_days) },
          { table: budgetAllowanceTable.name, index: "by_given", before: before(usage_days) },
          ...(await unusedCuts(engine.read)),
          ...marks,
        ],
      });
      await options.tidyMemory?.();
      if (rows === 0) return;
      log("info", "old records were deleted", { rows });
      await reclaim?.();
    } catch (error) {
      log("warn", "old records could not be deleted", { error: String(error) });
    }
  }
  return () => cancel();
}

/** What still waits to be sent stays, and so do people who were let in or turned out. */
function channelRows(
  before: (days: number) => number,
  journalDays: number,
): NonNullable<Retention["rows"]> {
  return [
    { table: connectorUpdateTable.name, index: "by_at", before: before(updatesDays) },
    { table: rateBucketTable.name, index: "by_at", before: before(bucketsDays) },
    { table: previewTable.name, index: "by_at", before: before(previewsDays) },
    {
      table: pairingTable.name,
      query: { index: "by_age", equals: ["open"], before: before(unansweredPairingsDays) },
    },
    {
      table: deliveryTable.name,
      query: { index: "by_age", equals: [0], before: before(journalDays) },
    },
  ];
}

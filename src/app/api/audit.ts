import type { CommittedReader } from "../../ports/store.ts";
import type { ParsedParams, ShownAudit } from "../../schema/socket/protocol.ts";
import { type AuditRow, auditTable } from "../../schema/rows/audit-rows.ts";
import type { Handlers } from "./caller.ts";
import { hasAll, isBetween } from "../filter.ts";
import { showAudit } from "../records/shown.ts";
import { verifyAudit } from "../records/verify-audit.ts";

type Filter = Omit<ParsedParams<"audit.query">, "limit" | "before_n">;

const pageRows = 500;

/** Who decided what, and what ran. */
export function auditReads(
  read: CommittedReader,
): Handlers<"audit.query" | "audit.export" | "audit.verify"> {
  return {
    "audit.query": async (filter) => queryAudit(read, filter),
    "audit.export": async ({ after_n, ...filter }) => {
      const page = await read.select(auditTable, {
        ...indexFor(filter),
        after: after_n,
        limit: pageRows,
      });
      const rows = page.filter((row) => matches(row, filter)).map(showAudit);
      return { rows, next: page.length < pageRows ? null : (page.at(-1)?.n ?? null) };
    },
    "audit.verify": async () => verifyAudit(read),
  };
}

/** Newest first. */
async function queryAudit(
  read: CommittedReader,
  filter: ParsedParams<"audit.query">,
): Promise<ShownAudit[]> {
  const found: AuditRow[] = [];
  let before = filter.before_n;
  while (found.length < filter.limit) {
    const page = await read.select(auditTable, {
      ...indexFor(filter),
      descending: true,
      limit: pageRows,
      ...(before === undefined ? {} : { before }),
    });
    found.push(...page.filter((row) => matches(row, filter)));
    before = page.at(-1)?.n;
    if (page.length < pageRows) break;
  }
  return found.slice(0, filter.limit).map(showAudit);
}

function indexFor({ run, trace }: Filter) {
  if (run !== undefined) return { index: "by_run", equals: [run] };
  if (trace !== undefined) return { index: "by_trace", equals: [trace] };
  return { index: "key" };
}

function matches(row: AuditRow, filter: Filter): boolean {
  const wanted = [
    [filter.trace, row.trace_id],
    [filter.task, row.task_id],
    [filter.run, row.run_id],
    [filter.step, row.step_id],
    [filter.session, row.session],
    [filter.agent, row.agent],
    [filter.tool, row.tool],
    [filter.status, row.status],
  ] as const;
  return hasAll(wanted) && isBetween(row.at, filter);
}

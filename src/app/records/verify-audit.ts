import { chainFault, endFault } from "../../policy/audit-chain.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { auditHeadTable, type AuditRow, auditTable } from "../../schema/rows/audit-rows.ts";
import type { ChainReport } from "../../schema/socket/protocol.ts";

const pageRows = 500;

/** Whether the audit trail is whole and unchanged.
 *  @param after only the rows behind this one */
export async function verifyAudit(read: CommittedReader, after?: number): Promise<ChainReport> {
  let previous: AuditRow | undefined;
  let rows = 0;
  for (;;) {
    const from = previous?.n ?? after;
    const page = await read.select(auditTable, {
      index: "key",
      limit: pageRows,
      ...(from === undefined ? {} : { after: from }),
    });
    for (const row of page) {
      const fault = chainFault(row, previous);
      if (fault !== undefined) return { ok: false, rows, fault };
      previous = row;
      rows += 1;
    }
    if (page.length < pageRows) break;
  }
  const fault = endFault(previous, await read.get(auditHeadTable, "audit"));
  return { ok: fault === undefined, rows, fault: fault ?? null };
}

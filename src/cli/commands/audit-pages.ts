import type { Results } from "../../schema/socket/protocol.ts";
import type { RecordSource } from "../reading.ts";
import type { AuditFilter } from "./audit-filter.ts";

/** Everything that matches, oldest first, a page at a time. */
export async function* auditPages(source: RecordSource, filter: AuditFilter) {
  let from: number | null = 0;
  while (from !== null) {
    const page: Results["audit.export"] = await source.call("audit.export", {
      ...filter,
      after_n: from,
    });
    yield page.rows;
    from = page.next;
  }
}

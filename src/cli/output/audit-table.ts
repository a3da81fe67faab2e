import type { ShownAudit } from "../../schema/socket/protocol.ts";
import { auditInput, auditStatus, auditWhy } from "../../text/audit-text.ts";
import { shorten } from "../../text/shown.ts";
import { moment } from "../../text/times.ts";
import { table } from "./table.ts";

/** @param width columns of the terminal, where a long input leaves room for the reason beside it */
export function auditTable(rows: readonly ShownAudit[], width: number | undefined): string {
  return table(
    rows,
    [
      { title: "N", cell: ({ n }) => n },
      { title: "AT (UTC)", cell: ({ at }) => moment(at) },
      { title: "KIND", cell: ({ kind }) => kind },
      { title: "STATUS", cell: auditStatus },
      { title: "TOOL", cell: ({ tool }) => tool },
      { title: "RUN", cell: ({ run_id }) => run_id },
      { title: "BY", cell: ({ decided_by }) => decided_by },
      { title: "INPUT", cell: (row) => shorten(auditInput(row), width === undefined ? 80 : 40) },
      { title: "WHY", cell: auditWhy },
    ],
    { empty: "No audit rows.", width },
  );
}

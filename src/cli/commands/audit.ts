import { AgentError } from "../../schema/errors.ts";
import { defineCommand, type Group } from "../command.ts";
import { auditTable } from "../output/audit-table.ts";
import { reading } from "../reading.ts";
import { type AuditFilter, auditFilterOf, auditFilterOptions } from "./audit-filter.ts";
import { exportRows } from "./audit-export.ts";
import { type Limited, limitOption } from "./limit-option.ts";

const query = defineCommand<[], AuditFilter & Limited>({
  usage: "query",
  summary: "who decided what and what ran, newest first",
  example: "audit query --tool file_write --after 2026-01-31",
  offline: "file",
  options: [...auditFilterOptions, limitOption(100)],
  async work(context, _args, { limit, ...options }) {
    const filter = { ...auditFilterOf(options), limit };
    const rows = await reading(context, ({ call }) => call("audit.query", filter));
    return { data: rows, text: auditTable(rows, context.width) };
  },
});

const verify = defineCommand({
  usage: "verify",
  summary: "whether a row was changed, removed or added",
  example: "audit verify",
  offline: "file",
  async work(context) {
    const report = await reading(context, ({ call }) => call("audit.verify", {}));
    if (report.ok) return { data: report, text: `The chain of ${report.rows} rows is whole.` };
    const at = report.fault === null ? "" : ` at row ${report.fault.n}: ${report.fault.message}`;
    throw new AgentError("audit.broken", `The audit chain is broken${at}`, {
      hint: "somebody changed the database; compare it with a backup",
      details: { rows: report.rows, fault: report.fault },
    });
  },
});

export const audit: Group = {
  usage: "audit",
  summary: "who decided what, and what ran: query, verify, export",
  example: "audit query --limit 20",
  children: [query, verify, exportRows],
};

import { InvalidArgumentError, Option } from "commander";
import { AgentError } from "../../schema/errors.ts";
import { defineCommand, type Group } from "../command.ts";
import { auditTable } from "../output/audit-table.ts";
import { reading } from "../reading.ts";
import { type Limited, limitOption } from "./limit-option.ts";

const exact = ["trace", "task", "run", "step", "session", "agent", "tool", "status"] as const;
type Filter = Limited & { readonly [name in (typeof exact)[number] | "after" | "before"]?: string };

const query = defineCommand<[], Filter>({
  usage: "query",
  summary: "who decided what and what ran, newest first",
  example: "audit query --tool file_write --after 2026-01-31",
  offline: "file",
  options: [
    ...exact.map((name) => new Option(`--${name} <value>`, `only of this ${name}`)),
    new Option("--after <time>", "from this time on (ISO 8601)").argParser(isoTime),
    new Option("--before <time>", "before this time (ISO 8601)").argParser(isoTime),
    limitOption(100),
  ],
  async work(context, _args, options) {
    const names = [...exact, "after", "before", "limit"] as const;
    const filter = Object.fromEntries(
      names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
    );
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
  summary: "who decided what, and what ran: query, verify",
  example: "audit query --limit 20",
  children: [query, verify],
};

function isoTime(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new InvalidArgumentError("Write it as 2026-01-31 or 2026-01-31T20:00:00Z.");
  return new Date(time).toISOString();
}

import { once } from "node:events";
import { Option } from "commander";
import { AgentError } from "../../schema/errors.ts";
import { type ShownAudit, shownAudit } from "../../schema/shown/shown.ts";
import { defineCommand, streamed } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { positiveInteger } from "../global-options.ts";
import { csvLine } from "../output/csv.ts";
import { openRecordSource } from "../reading.ts";
import type { Output } from "../terminal.ts";
import { type AuditFilter, auditFilterOf, auditFilterOptions } from "./audit-filter.ts";
import { auditPages } from "./audit-pages.ts";

type Options = AuditFilter & { readonly format?: "jsonl" | "csv"; readonly limit?: number };

const columns = Object.keys(shownAudit.shape) as (keyof ShownAudit)[];

export const exportRows = defineCommand<[], Options>({
  usage: "export",
  summary: "everything that matches, oldest first, one row a line",
  example: "audit export --format csv --after 2026-01-01",
  offline: "file",
  options: [
    new Option(
      "--format <format>",
      "jsonl as `audit query --json` has the rows (default), or csv",
    ).choices(["jsonl", "csv"]),
    ...auditFilterOptions,
    new Option("--limit <n>", "at most this many rows, the oldest").argParser(positiveInteger),
  ],
  async work(context, _args, { format = "jsonl", limit = Number.POSITIVE_INFINITY, ...options }) {
    if (context.json && format === "csv") throw notBoth();
    const { stdout } = context.terminal;
    const lineOf = format === "csv" ? csvOf : (row: ShownAudit) => JSON.stringify(row);
    const source = await openRecordSource(context);
    try {
      if (format === "csv") await print(stdout, csvLine(columns));
      let left = limit;
      for await (const rows of auditPages(source, auditFilterOf(options))) {
        const wanted = rows.slice(0, left);
        if (wanted.length > 0) await print(stdout, wanted.map(lineOf).join("\n"));
        left -= wanted.length;
        if (left <= 0) break;
      }
    } finally {
      await source.close();
    }
    return streamed(exitCodes.ok);
  },
});

/** Waits for whoever reads, so that no more than a page is ever kept. */
async function print(output: Output, lines: string): Promise<void> {
  if (!output.write(`${lines}\n`)) await once(output, "drain");
}

function csvOf(row: ShownAudit): string {
  return csvLine(columns.map((name) => row[name]));
}

function notBoth(): AgentError {
  return new AgentError("usage", "--json prints JSON lines, --format csv does not.", {
    hint: "leave one of them out",
  });
}

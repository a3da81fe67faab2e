import { resolve } from "node:path";
import type { Results } from "../../schema/socket/protocol.ts";
import { defineCommand } from "../command.ts";
import { asking, type CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { checkedConfig } from "../lifecycle/checked-config.ts";
import { isHome } from "../../config/home.ts";
import { shown } from "../../text/shown.ts";
import { facts } from "../output/table.ts";
import { whyAbsent } from "../reading.ts";

const patienceMs = 30 * 60_000;

export const backup = defineCommand<[file: string]>({
  usage: "backup <file>",
  summary: "copy the database to a new file, while the service works or without it",
  example: "backup ~/statehive-2026-01-31.db",
  offline: "file",
  exits: [exitCodes.notFound],
  async work(context, [wanted]) {
    const report = await copyTo(context, resolve(wanted));
    const { file, bytes, rows } = report;
    const text = facts([
      ["file", shown(file)],
      ["size", `${bytes} bytes, ${rows} rows`],
      ["holds", "sessions, runs, approvals, grants, the audit trail"],
      ["not in it", "config, prompts, workspaces and keys: copy those folders of the home too"],
    ]);
    return { data: report, text };
  },
});

async function copyTo(context: CommandContext, file: string): Promise<Results["backup"]> {
  try {
    return await asking(context, ({ call }) => call("backup", { file }, patienceMs));
  } catch (error) {
    const why = whyAbsent(error);
    if (!isHome(context.home)) throw error;
    const { config } = await checkedConfig(context);
    const { backUp } = await import("../../app/database/backup.ts");
    const report = await backUp(config.engine, file);
    context.note(`${why}; copied from the file itself`);
    return report;
  }
}

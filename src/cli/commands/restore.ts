import { resolve } from "node:path";
import { Option } from "commander";
import { AgentError } from "../../schema/errors.ts";
import { defineCommand } from "../command.ts";
import { asking, type CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { checkedConfig } from "../lifecycle/checked-config.ts";
import { confirm } from "../output/confirm.ts";
import { shown } from "../../text/shown.ts";
import { facts } from "../output/table.ts";
import { isInteractive } from "../terminal.ts";

export const restore = defineCommand<[file: string], { yes?: boolean }>({
  usage: "restore <file>",
  summary:
    "put a backup in the place of the database, which is kept beside it; the service must be stopped",
  example: "restore ~/statehive-2026-01-31.db --yes",
  offline: "same",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain, exitCodes.configInvalid],
  options: [new Option("--yes", "do not ask")],
  async work(context, [wanted], { yes = false }) {
    const from = resolve(wanted);
    const { config } = await checkedConfig(context);
    await refuseWhileRunning(context);
    if (!yes) await askFirst(context, from);
    const { restore: putBack } = await import("../../app/database/backup.ts");
    const { home, paths, now } = context;
    const data = await putBack({ home, engine: config.engine, lockPath: paths.lock, from, now });
    const text = facts([
      ["database", shown(data.file)],
      ["restored", `${data.rows} rows, ${data.audit_rows} of them in an audit chain that is whole`],
      ["before", data.kept === null ? "there was none" : `kept as ${shown(data.kept)}`],
      ["next", "`statehive start`: what was open goes on, approvals wait for their answer"],
    ]);
    return { data, text };
  },
});

async function refuseWhileRunning(context: CommandContext): Promise<void> {
  const { serviceRuns } = await import("../../app/database/backup.ts");
  const absent = await asking(context, ({ call }) => call("status", {})).then(
    () => false,
    (error: unknown) => error instanceof AgentError && error.code === "service.not_running",
  );
  if (!absent) throw serviceRuns();
}

async function askFirst({ terminal, json, home }: CommandContext, from: string): Promise<void> {
  if (json || !isInteractive(terminal)) {
    throw new AgentError("usage", "It replaces the database, and nobody can be asked here.", {
      hint: "say --yes",
    });
  }
  const question = `Replace the database of ${shown(home)} by ${shown(from)}? The present one is kept. [y/N] `;
  if (await confirm(terminal, question)) return;
  throw new AgentError("usage", "Nothing was changed.", { hint: "say --yes to go on" });
}

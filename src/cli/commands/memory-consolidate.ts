import { Option } from "commander";
import type { Consolidated } from "../../schema/shown/shown-memory.ts";
import { shown } from "../../text/shown.ts";
import { defineCommand } from "../command.ts";
import { asking, type CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { diffLines } from "../output/memory-text.ts";

/** A model is asked for each memory, one after the other. */
const longestMs = 600_000;

type Consolidating = { readonly agent?: string; readonly dryRun?: boolean };

export const consolidate = defineCommand<[], Consolidating>({
  usage: "consolidate",
  summary: "tidy memory as the schedule does, and show what changed, or with --dry-run would",
  example: "memory consolidate --dry-run",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain],
  options: [
    new Option("--agent <id>", "the memories of this agent alone"),
    new Option("--dry-run", "change nothing"),
  ],
  async work(context, _args, { agent, dryRun = false }) {
    const which = { dry_run: dryRun, ...(agent === undefined ? {} : { agent }) };
    const data = await asking(context, ({ call }) => call("memory.consolidate", which, longestMs));
    const text = data.map((each) => consolidatedText(each, context)).join("\n");
    return { data, text: text === "" ? "Nothing is remembered yet." : text };
  },
});

function consolidatedText(
  done: Consolidated,
  screen: Pick<CommandContext, "width" | "style">,
): string {
  const { partition, summary, notes, files } = done;
  return [
    `${shown(partition)}: ${shown(summary)}`,
    ...notes.map(({ kind, path, line, text }) => {
      const place = path === null ? "" : ` ${shown(path)}${line === null ? "" : `:${line}`}`;
      return `  ${kind}${place}: ${shown(text)}`;
    }),
    ...files.flatMap(({ diff }) => diffLines(diff, screen)),
  ].join("\n");
}

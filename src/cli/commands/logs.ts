import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Option } from "commander";
import type { LogTail } from "../../app/logs/log-tail.ts";
import { type LogLevel, logLevels, type LogRecord } from "../../schema/shown/log-record.ts";
import { defineCommand, streamed, type Streamed } from "../command.ts";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { logLine } from "../output/log-line.ts";
import { type Limited, limitOption } from "./limit-option.ts";
import { type Between, timeOptions } from "./time-option.ts";

const ids = ["trace", "run", "session", "agent"] as const;

type Options = Limited &
  Between & { readonly [id in (typeof ids)[number]]?: string } & {
    readonly level?: LogLevel;
    readonly follow?: boolean;
  };

const lookAgainMs = 250;

/** Reads the files: it needs no service. */
export const logs = defineCommand<[], Options>({
  usage: "logs",
  summary: "the service's log, also while it is stopped; -f goes on with what follows",
  example: "logs -f --trace t0c1f6ff4d2b9a7e3",
  offline: "same",
  exits: [exitCodes.configInvalid, exitCodes.interrupted],
  options: [
    new Option("-f, --follow", "go on with what follows, over restarts, until Ctrl-C"),
    ...ids.map((name) => new Option(`--${name} <id>`, `only of this ${name}`)),
    new Option("--level <level>", "only from this level on").choices([...logLevels]),
    ...timeOptions(),
    limitOption(100),
  ],
  async work(context, _args, options) {
    const { limit, follow = false, trace, run, session, agent, level, after, before } = options;
    const filter = { trace, run, session, agent, level, after, before };
    const { LogTail } = await import("../../app/logs/log-tail.ts");
    const tail = new LogTail({ path: context.paths.log, filter });
    try {
      const records = tail.newest(limit);
      if (follow) return await goOn(context, tail, records);
      const empty = `The log ${context.paths.log} has nothing of that.`;
      const lines = records.map((record) => logLine(record, context.style));
      return { data: records, text: lines.length === 0 ? empty : lines.join("\n") };
    } finally {
      tail.close();
    }
  },
});

/** With --json each record is a line. */
async function goOn(
  context: CommandContext,
  tail: LogTail,
  newest: readonly LogRecord[],
): Promise<Streamed> {
  const interrupted = new AbortController();
  const forget = context.terminal.onSignal(() => interrupted.abort());
  const { signal } = interrupted;
  await print(context, newest, signal);
  while (!signal.aborted) {
    const { records, isTorn, hasMore } = tail.next();
    if (isTorn) context.note("(the log was rotated away: records are missing here)");
    await print(context, records, signal);
    if (!hasMore) await delay(lookAgainMs, undefined, { signal }).catch(() => undefined);
  }
  forget();
  return streamed(exitCodes.interrupted);
}

/** Waits for a reader that is slower: what it has not taken stays in the files. */
async function print(
  { terminal: { stdout }, json, style }: CommandContext,
  records: readonly LogRecord[],
  signal: AbortSignal,
): Promise<void> {
  if (records.length === 0) return;
  const lines = records.map((record) => (json ? JSON.stringify(record) : logLine(record, style)));
  if (stdout.write(`${lines.join("\n")}\n`)) return;
  await once(stdout, "drain", { signal }).catch(() => undefined);
}

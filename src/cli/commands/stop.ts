import { InvalidArgumentError, Option } from "commander";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { type Stopped, stopService } from "../lifecycle/stop-service.ts";

type StopFlags = { readonly force?: boolean; readonly grace?: number };

export const stop = defineCommand<[], StopFlags>({
  usage: "stop",
  summary: "let what runs end for a moment, then stop the service",
  example: "stop",
  offline: "same",
  exits: [exitCodes.notAnswering],
  options: [
    new Option("--grace <seconds>", "how long what runs may take to end, at most 600")
      .argParser(seconds)
      .default(5),
    new Option("--force", "end it at once; kill it if it does not stop"),
  ],
  async work(context, _args, { force = false, grace = 5 }) {
    const stopped = await stopService(context, { force, graceMs: force ? 0 : grace * 1_000 });
    return { data: stopped, text: textOf(stopped) };
  },
});

function seconds(given: string): number {
  const value = Number(given);
  if (/^\d{1,3}$/.test(given) && value <= 600) return value;
  throw new InvalidArgumentError("It must be a whole number from 0 to 600.");
}

function textOf({ pid, killed }: Stopped): string {
  if (pid === null) return "statehive is not running.";
  return killed
    ? `statehive (pid ${pid}) was killed; it goes on where it was at the next start.`
    : `statehive (pid ${pid}) has stopped.`;
}

import { Option } from "commander";
import { defineCommand } from "../command.ts";
import { type Stopped, stopService } from "../lifecycle/stop-service.ts";

export const stop = defineCommand<[], { force?: boolean }>({
  usage: "stop",
  summary: "let what runs end for a moment, then stop the service",
  example: "stop",
  offline: "same",
  exits: [4],
  options: [new Option("--force", "kill it if it does not stop")],
  async work(context, _args, { force = false }) {
    const stopped = await stopService(context, force);
    return { data: stopped, text: textOf(stopped) };
  },
});

function textOf({ pid, killed }: Stopped): string {
  if (pid === null) return "statehive is not running.";
  return killed
    ? `statehive (pid ${pid}) was killed; it goes on where it was at the next start.`
    : `statehive (pid ${pid}) has stopped.`;
}

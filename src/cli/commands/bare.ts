import { defineCommand, streamed } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { serveInForeground } from "../lifecycle/serve-in-foreground.ts";
import { startService } from "../lifecycle/start-service.ts";
import { isInteractive } from "../terminal.ts";
import { showTui } from "./tui.ts";

/** `statehive` and nothing else: a person gets the interface, everything else gets the service. */
export const bare = defineCommand({
  usage: "statehive",
  summary: "start and watch, or serve",
  example: "chat -p 'list my files'",
  offline: "same",
  exits: [
    exitCodes.failed,
    exitCodes.notAnswering,
    exitCodes.tryAgain,
    exitCodes.configInvalid,
    exitCodes.interrupted,
  ],
  async work(context) {
    if (context.json || !isInteractive(context.terminal)) return serveInForeground(context);
    const { alreadyRan, status } = await startService(context);
    if (!alreadyRan) context.note(`statehive has started (pid ${status.pid}) in ${status.home}`);
    await showTui(context, {});
    return streamed(exitCodes.ok);
  },
});

import { defineCommand } from "../command.ts";
import { startService } from "../lifecycle/start-service.ts";
import { stopService } from "../lifecycle/stop-service.ts";
import { tellStarted } from "./start.ts";

export const restart = defineCommand({
  usage: "restart",
  summary: "stop, then start",
  example: "restart",
  async work(context) {
    await stopService(context, false);
    return tellStarted(context, await startService(context));
  },
});

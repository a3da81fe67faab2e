import { isHome } from "../../config/home.ts";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { checkedConfig } from "../lifecycle/checked-config.ts";
import { startService } from "../lifecycle/start-service.ts";
import { stopService } from "../lifecycle/stop-service.ts";
import { tellStarted } from "./start.ts";

export const restart = defineCommand({
  usage: "restart",
  summary: "stop, then start; not when the configuration is invalid",
  example: "restart",
  offline: "same",
  exits: [exitCodes.failed, exitCodes.notAnswering, exitCodes.tryAgain, exitCodes.configInvalid],
  async work(context) {
    if (isHome(context.home)) await checkedConfig(context);
    await stopService(context);
    return tellStarted(context, await startService(context));
  },
});

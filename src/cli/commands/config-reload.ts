import { isHome } from "../../config/home.ts";
import { toErrorData } from "../../schema/errors.ts";
import { defineCommand } from "../command.ts";
import { asking } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { checkedConfig } from "../lifecycle/checked-config.ts";
import { reloadedText } from "../output/reloaded-text.ts";

export const reload = defineCommand({
  usage: "reload",
  summary: "have the running service read its configuration again; with a fault nothing changes",
  example: "config reload",
  exits: [exitCodes.configInvalid],
  async work(context) {
    const data = await asking(context, ({ call }) => call("config.reload", {})).catch(
      async (thrown: unknown) => {
        if (toErrorData(thrown).code === "service.not_running" && isHome(context.home))
          await checkedConfig(context);
        throw thrown;
      },
    );
    return { data, text: reloadedText(data) };
  },
});

import { initHome } from "../../config/home.ts";
import { Option } from "commander";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";

export const init = defineCommand<[], { nonInteractive?: boolean }>({
  usage: "init",
  summary: "write the home's configuration and prompts; overwrites nothing",
  example: "init --home ./my-hive",
  offline: "same",
  exits: [exitCodes.configInvalid],
  options: [new Option("--non-interactive", "ask nothing (it asks nothing yet)")],
  async work({ home }) {
    const { written, kept } = initHome(home);
    const files = written.map((path) => `  ${path}`);
    const left = kept.length === 0 ? [] : [`${kept.length} files were there and were left alone.`];
    const said =
      written.length === 0
        ? [`${home} was complete.`]
        : [`Wrote ${written.length} files to ${home}:`, ...files];
    const next = ["Next: `statehive start`, then `statehive chat`."];
    return { data: { home, written, kept }, text: [...said, ...left, ...next].join("\n") };
  },
});

import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { Option } from "commander";
import { serveInForeground as runHere } from "../lifecycle/serve-in-foreground.ts";

export const serve = defineCommand<[], { readonly background?: boolean }>({
  usage: "serve",
  summary: "run the service in the foreground until a signal or `stop`",
  example: "serve --home ./my-hive",
  offline: "same",
  exits: [exitCodes.failed, exitCodes.tryAgain, exitCodes.configInvalid],
  options: [new Option("--background", "as `start` runs it: nobody reads its stderr").hideHelp()],
  work: (context, _args, { background = false }) => runHere(context, { background }),
});

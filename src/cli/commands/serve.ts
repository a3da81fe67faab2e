import { defineCommand } from "../command.ts";
import { serveInForeground } from "../lifecycle/serve-in-foreground.ts";

export const serve = defineCommand({
  usage: "serve",
  summary: "run the service in the foreground until a signal or `stop`",
  example: "serve --home ./my-hive",
  offline: "same",
  exits: [1, 75, 78],
  work: serveInForeground,
});

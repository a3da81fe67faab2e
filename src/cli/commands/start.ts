import { defineCommand } from "../command.ts";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { startService, type Started } from "../lifecycle/start-service.ts";
import type { Answer } from "../output/print-answer.ts";
import { shown } from "../../text/shown.ts";
import { facts } from "../output/table.ts";
import { offlineAdvice, whoAnswers } from "../output/who-answers.ts";

export const start = defineCommand({
  usage: "start",
  summary: "start the service in the background and wait until it answers",
  example: "start",
  offline: "same",
  exits: [exitCodes.failed, exitCodes.notAnswering, exitCodes.tryAgain, exitCodes.configInvalid],
  work: async (context) => tellStarted(context, await startService(context)),
});

export function tellStarted(context: CommandContext, { alreadyRan, status }: Started): Answer {
  const { style, paths } = context;
  const { pid, version, home, model } = status;
  const verb = alreadyRan ? "already runs" : "has started";
  const rows: [string, string][] = [
    ["home", shown(home)],
    ["socket", shown(paths.socket)],
    ["log", shown(paths.log)],
    ["model", shown(whoAnswers(model))],
    ["next", "`statehive tui` shows it on the whole screen, `statehive chat` talks to it"],
  ];
  const advice = offlineAdvice(model);
  const text = [style.bold(`statehive ${verb} (pid ${pid})`), facts(rows)];
  return {
    data: {
      pid,
      already_running: alreadyRan,
      version,
      home,
      socket: paths.socket,
      log: paths.log,
      model,
    },
    text: [...text, ...(advice === "" ? [] : [style.dim(`  ${advice}`)])].join("\n"),
  };
}

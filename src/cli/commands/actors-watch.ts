import type { ActorStep } from "../../schema/socket/protocol.ts";
import { AgentError } from "../../schema/errors.ts";
import { defineCommand, streamed } from "../command.ts";
import { type CommandContext, openConnection } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { actorTree } from "../output/actor-tree.ts";
import { printLine } from "../output/print-answer.ts";
import { shown } from "../../text/shown.ts";
import { fit } from "../../text/text-width.ts";

/** With --json: `{"type":"actors.snapshot","rows"}`, then `{"type":"actors.delta","rows","steps","dropped"}` for what follows. */
export const watch = defineCommand<[prefix: string | undefined]>({
  usage: "watch [prefix]",
  summary: "the actors, then each step of theirs as it happens; Ctrl-C ends it",
  example: "actors watch session/",
  exits: [exitCodes.interrupted],
  async work(context, [prefix = ""]) {
    const { terminal, json } = context;
    const connection = await openConnection(context);
    const interrupted = new Promise<"interrupted">((resolve) => {
      terminal.onSignal(() => resolve("interrupted"));
    });
    connection.on("actors.delta", (delta) => {
      const { steps, dropped } = delta;
      if (json) printLine(terminal.stdout, JSON.stringify({ type: "actors.delta", ...delta }));
      else for (const step of steps) printLine(terminal.stdout, stepLine(step, context));
      if (dropped > 0) context.note(`(too slow: ${dropped} steps were left out)`);
    });
    const { rows } = await connection.call("actors.subscribe", { prefix });
    if (json) printLine(terminal.stdout, JSON.stringify({ type: "actors.snapshot", rows }));
    else printLine(terminal.stdout, actorTree(rows, context));
    const ending = await Promise.race([connection.ended, interrupted]);
    connection.close();
    if (ending === "interrupted") return streamed(exitCodes.interrupted);
    throw new AgentError("service.not_running", "The service has gone away.", {
      hint: "`statehive start` starts it again",
    });
  },
});

/** `20:41:02.113  approval.decided  awaiting_approval -> executing  session/…/call/c9-0` */
export function stepLine(
  step: ActorStep,
  { style, width }: Pick<CommandContext, "style" | "width">,
): string {
  const { at, address, event, outcome, reason, state_before, state_after } = step;
  const change =
    state_before === state_after
      ? shown(state_after)
      : `${shown(state_before)} -> ${shown(state_after)}`;
  const refused = outcome === "handled" ? "" : `  ${outcome}: ${shown(reason)}`;
  const line = `${at.slice(11, 23)}  ${shown(event)}  ${change}${refused}  ${shown(address)}`;
  const fitted = width === undefined ? line : fit(line, width);
  return outcome === "handled" ? fitted : style.dim(fitted);
}

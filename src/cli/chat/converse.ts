import { type CommandContext, openConnection } from "../command-context.ts";
import { streamed, type Streamed } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { printLine } from "../output/print-answer.ts";
import { shown } from "../output/shown.ts";
import { offlineAdvice, whoAnswers } from "../output/who-answers.ts";
import type { ChatTarget } from "./follow-chat.ts";
import { goodbye, LineChat } from "./line-chat.ts";
import { LineScreen } from "./line-screen.ts";

/** A conversation on a terminal, until its person leaves or the service goes away. */
export async function converse(context: CommandContext, target: ChatTarget): Promise<Streamed> {
  const { terminal } = context;
  const connection = await openConnection(context);
  const { model, agents } = await connection.call("status", {});
  const agent = target.agent ?? agents.find((id) => id === "main") ?? agents[0] ?? "main";
  greet(context, agent, model);
  const exitCode = await new Promise<number>((leave) => {
    const screen = new LineScreen(terminal, {
      onLine: (line) => void chat.take(line),
      onInterrupt: () => void chat.interrupt(),
      onEnd: () => leave(exitCodes.ok),
    });
    const chat = new LineChat({
      context,
      connection,
      screen,
      target: { ...target, agent },
      leave: end,
    });
    function end(code: number): void {
      screen.close();
      leave(code);
    }
    terminal.onSignal(() => end(exitCodes.interrupted));
    void connection.ended.then(() => end(exitCodes.notRunning));
    chat.refresh();
  });
  connection.close();
  const last = goodbye(exitCode) ?? "What runs goes on; `statehive chat` comes back.";
  printLine(exitCode === exitCodes.notRunning ? terminal.stderr : terminal.stdout, `\n${last}`);
  return streamed(exitCode);
}

function greet({ terminal, style }: CommandContext, agent: string, model: string): void {
  const advice = offlineAdvice(model);
  printLine(terminal.stdout, `${style.bold(shown(agent))} answers (${shown(whoAnswers(model))}).`);
  if (advice !== "") printLine(terminal.stdout, style.dim(advice));
  printLine(terminal.stdout, style.dim("/help lists the commands, Ctrl-D leaves."));
}

import type { Connection } from "../../client/connection.ts";
import type { ShownAgent } from "../../schema/shown/shown.ts";
import { type CommandContext, openConnection } from "../command-context.ts";
import { streamed, type Streamed } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { printLine } from "../output/print-answer.ts";
import { shown } from "../../text/shown.ts";
import { offlineAdvice, whoAnswers } from "../output/who-answers.ts";
import { speakerOf } from "./speakers.ts";
import type { ChatTarget } from "../../client/chat/follow-chat.ts";
import { LineChat, type LineChatOptions } from "./line-chat.ts";
import { LineScreen } from "./line-screen.ts";
import { ServiceLink } from "../../client/service-link.ts";

/** A conversation on a terminal, until its person leaves; it outlives the service. */
export async function converse(context: CommandContext, target: ChatTarget): Promise<Streamed> {
  const connection = await openConnection(context);
  const { approvals } = await connection.call("status", {});
  const { agent: named, session } = target;
  const agent = await connection.call("chat.agent", { agent: named, session });
  greet(context, agent);
  if (approvals > 0) printLine(context.terminal.stdout, waitingText(approvals));
  const { exitCode, isWorking } = await untilLeft(context, connection, { target, agent });
  if (isWorking) context.note("What runs goes on; `statehive chat` comes back.");
  return streamed(exitCode);
}

type Left = { readonly exitCode: number; readonly isWorking: boolean };

function untilLeft(
  context: CommandContext,
  connection: Connection,
  chatting: Pick<LineChatOptions, "target" | "agent">,
): Promise<Left> {
  return new Promise((resolve, reject) => {
    const link = new ServiceLink({
      connection,
      open: () => openConnection(context),
      onLost: () => chat.lost(),
      onBack: () => void chat.back(),
      onFault: (error) => {
        screen.close();
        link.close();
        reject(error);
      },
    });
    const screen = new LineScreen(context.terminal, {
      onLine: (line) => void chat.take(line),
      onInterrupt: () => void chat.interrupt(),
      onEnd: () => leave(exitCodes.ok),
    });
    const chat = new LineChat({ ...chatting, context, link, screen, leave });
    function leave(exitCode: number): void {
      screen.close();
      link.close();
      resolve({ exitCode, isWorking: chat.isWorking });
    }
    context.terminal.onSignal(() => leave(exitCodes.interrupted));
    chat.refresh();
  });
}

function greet({ terminal, style, forThisHome }: CommandContext, agent: ShownAgent): void {
  const model = agent.model ?? `none: ${agent.model_fault}`;
  const advice = offlineAdvice(model);
  printLine(
    terminal.stdout,
    `${style.bold(speakerOf(agent))} answers (${shown(whoAnswers(model))}).`,
  );
  if (advice !== "") printLine(terminal.stdout, style.dim(forThisHome(advice)));
  printLine(terminal.stdout, style.dim("/help lists the commands, Ctrl-D leaves."));
}

function waitingText(count: number): string {
  const questions = count === 1 ? "1 question waits" : `${count} questions wait`;
  return `${questions} for you: /approvals asks.`;
}

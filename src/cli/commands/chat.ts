import { Option } from "commander";
import { AgentError } from "../../schema/errors.ts";
import { chatOnce } from "../chat/chat-once.ts";
import { converse } from "../chat/converse.ts";
import { type QueueMode, queueModes } from "../../schema/queue.ts";
import { defineCommand } from "../command.ts";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { type Bounded, boundaryOption } from "./boundary-option.ts";
import { readAll } from "../chat/read-all.ts";
import { isInteractive } from "../terminal.ts";

type ChatOptions = {
  readonly prompt?: string;
  readonly agent?: string;
  readonly session?: string;
  readonly approve?: "once" | "deny";
  readonly queue?: QueueMode;
} & Bounded;

export const chat = defineCommand<[], ChatOptions>({
  usage: "chat",
  summary: "talk with an agent; with -p or from a pipe: one message and its answer",
  example: "chat -p 'write hello to a.txt' --approve once",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain, exitCodes.interrupted],
  options: [
    new Option("-p, --prompt <text>", "one message; prints the answer and ends"),
    new Option("-a, --agent <id>", "who is asked (default: whom routing.yaml leads to)"),
    new Option("-s, --session <name>", "a name for the conversation (default: cli)"),
    new Option(
      "--queue <mode>",
      "what becomes of a message while a run works (default: sessions.queue)",
    ).choices(queueModes),
    boundaryOption(),
    approveOption(),
  ],
  async work(context, _args, { prompt, approve, ...target }) {
    const text = prompt ?? (await pipedText(context));
    if (text !== undefined) return chatOnce(context, { ...target, approve, text: notEmpty(text) });
    const isForOneMessage = approve !== undefined || target.boundary !== undefined;
    if (context.json || isForOneMessage || !isInteractive(context.terminal)) throw needsText();
    return converse(context, target);
  },
});

export function approveOption(): Option {
  return new Option(
    "--approve <how>",
    "decide this message's approvals and budgets at once, unseen",
  ).choices(["once", "deny"]);
}

async function pipedText({ terminal }: CommandContext): Promise<string | undefined> {
  return terminal.stdin.isTTY === true ? undefined : readAll(terminal.stdin);
}

/** @throws AgentError usage */
export function notEmpty(text: string): string {
  if (text.trim() !== "") return text;
  throw new AgentError("usage", "There is nothing to send: the message is empty.", {
    hint: "statehive chat -p 'list my files'",
  });
}

function needsText(): AgentError {
  return new AgentError(
    "usage",
    "A conversation needs a terminal, and takes neither --json nor --approve nor --boundary.",
    {
      hint: "give one message with -p: statehive chat -p 'list my files'",
    },
  );
}

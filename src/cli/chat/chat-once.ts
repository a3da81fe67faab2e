import type { Connection } from "../../client/connection.ts";
import { AgentError } from "../../schema/errors.ts";
import type { ChatEvent, Results, ShownApproval } from "../../schema/socket/protocol.ts";
import { streamed, type Streamed } from "../command.ts";
import { type CommandContext, openConnection } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { howToDecide } from "../output/how-to-decide.ts";
import { printLine } from "../output/print-answer.ts";
import { shown, shownLines } from "../../text/shown.ts";
import { ChatPrinter } from "./chat-printer.ts";
import { type ChatTarget, followChat } from "../../client/chat/follow-chat.ts";
import { waitsFor } from "../../text/queue-text.ts";

export type OnceOptions = ChatTarget & Following & { readonly text: string };

type Following = {
  /** Answers approvals of this message's calls, and whether it may go on beyond a budget; questions are for people. */
  readonly approve?: "once" | "deny" | undefined;
  /** After how much silence the service is asked how it is. */
  readonly troubleAfterMs?: number;
};

/** What was accepted, and where its events come from. */
export type Beginning = {
  readonly session_id: string;
  /** Said before them: to people, or with --json as their first line. */
  readonly notes: readonly string[];
  readonly told?: object;
  readonly events: AsyncIterable<ChatEvent>;
};

export type FollowOptions = Following & {
  /** The conversation's name, if it is known before. */
  readonly session?: string | undefined;
  readonly begin: (connection: Connection) => Promise<Beginning>;
};

export function chatOnce(context: CommandContext, options: OnceOptions): Promise<Streamed> {
  const begin = async (connection: Connection) => {
    const { accepted, events } = await followChat(connection, options.text, options);
    return { session_id: accepted.session_id, notes: whatWaits(accepted), events };
  };
  return followOnce(context, { ...options, begin });
}

function whatWaits({ queued, queue, waiting_for }: Results["chat.send"]): string[] {
  const turn = `An earlier message is still being worked on; this one ${waitsFor[queue]}.`;
  const runs = new Set(waiting_for.map(({ run_id }) => shown(run_id)));
  return [
    ...(queued ? [turn] : []),
    ...waiting_for.map(howToDecide),
    ...[...runs].map((id) => `  \`statehive runs cancel ${id}\` stops what waits`),
  ];
}

/** One message and all that comes of it: what the agent says on stdout, everything else on stderr. On a terminal the text
 *  streams; in a pipe the reply is printed once, when it is whole. */
export async function followOnce(
  context: CommandContext,
  options: FollowOptions,
): Promise<Streamed> {
  const connection = await openConnection(context);
  const interrupted = new Promise<"interrupted">((resolve) => {
    context.terminal.onSignal(() => resolve("interrupted"));
  });
  try {
    const once = new Once(context, connection, options);
    const following = once.follow();
    const ended = await Promise.race([following, interrupted]);
    if (ended !== "interrupted") return streamed(ended);
    following.catch(() => "what comes after the end is nobody's matter");
    once.tellHowToComeBack();
    return streamed(exitCodes.interrupted);
  } finally {
    connection.close();
  }
}

class Once {
  private readonly context: CommandContext;
  private readonly connection: Connection;
  private readonly options: FollowOptions;
  private readonly printer: ChatPrinter;
  private sessionId: string | undefined;
  private toldTrouble: string | undefined;

  constructor(context: CommandContext, connection: Connection, options: FollowOptions) {
    this.context = context;
    this.connection = connection;
    this.options = options;
    const { terminal, quiet, noteStyle } = context;
    this.printer = new ChatPrinter({
      say: (text) => void (this.streamsText && terminal.stdout.write(text)),
      tell: (text) => void (quiet || terminal.stderr.write(text)),
      style: noteStyle,
    });
  }

  private get streamsText(): boolean {
    return this.context.terminal.stdout.isTTY === true;
  }

  /** @returns the exit code */
  async follow(): Promise<number> {
    const { begin, troubleAfterMs = 5_000 } = this.options;
    const { session_id, notes, told, events } = await begin(this.connection);
    this.sessionId = session_id;
    const { json, terminal } = this.context;
    if (json && told !== undefined) printLine(terminal.stdout, JSON.stringify(told));
    for (const note of notes) this.note(note);
    const silence = setInterval(() => void this.tellTrouble(), troubleAfterMs);
    try {
      return await this.tellAll(events, () => silence.refresh());
    } finally {
      clearInterval(silence);
    }
  }

  private async tellAll(events: AsyncIterable<ChatEvent>, heard: () => void): Promise<number> {
    for await (const event of events) {
      heard();
      if (this.context.json) printLine(this.context.terminal.stdout, JSON.stringify(event));
      else this.print(event);
      if (event.type === "approval.opened") await this.opened(event.approval);
      if (event.type === "run.finished")
        return event.status === "done" ? exitCodes.ok : exitCodes.failed;
    }
    return exitCodes.failed;
  }

  /** Nothing was heard for a while: a service that cannot write says nothing until it can. */
  private async tellTrouble(): Promise<void> {
    const status = await this.connection.call("status", {}).catch(() => undefined);
    const message = status?.degraded?.message;
    if (message === undefined || message === this.toldTrouble) return;
    this.toldTrouble = message;
    this.note(`The service cannot write: ${shown(message)}. What runs goes on when it can.`);
  }

  tellHowToComeBack(): void {
    const { terminal, forThisHome } = this.context;
    const { session } = this.options;
    const back = session === undefined ? "statehive chat" : `statehive chat -s ${shown(session)}`;
    const told =
      this.sessionId === undefined
        ? ["The service has not said yet whether it took the message."]
        : [
            "The run goes on without you.",
            `  \`statehive sessions show ${shown(this.sessionId)}\` shows what came of it`,
          ];
    const rest = [`  \`${back}\` talks on`, "  `statehive runs list` lists what can be cancelled"];
    printLine(terminal.stderr, forThisHome(["", ...told, ...rest].join("\n")));
  }

  private print(event: ChatEvent): void {
    if (event.type === "text.delta" && !this.streamsText) return;
    this.printer.print(event);
    if (event.type !== "run.finished" || this.streamsText) return;
    const { reply, error } = event;
    if (reply !== null && error === null)
      printLine(this.context.terminal.stdout, shownLines(reply));
  }

  private async opened(approval: ShownApproval): Promise<void> {
    const { approve } = this.options;
    const isForPeople = approval.kind === "question" || approval.kind === "outcome";
    if (approve === undefined || isForPeople) return this.note(howToDecide(approval));
    await this.answer(approval, approve).catch((error: unknown) => this.wasDecidedElsewhere(error));
  }

  private answer({ id, kind }: ShownApproval, approve: "once" | "deny"): Promise<unknown> {
    const isYes = approve === "once";
    return kind === "budget"
      ? this.connection.call("approvals.answer", { id, value: isYes ? "continue" : "stop" })
      : this.connection.call("approvals.decide", { id, decision: isYes ? "approve" : "deny" });
  }

  private wasDecidedElsewhere(error: unknown): void {
    if (!(error instanceof AgentError) || error.code !== "approval.already_decided") throw error;
    this.note(error.message);
  }

  private note(text: string): void {
    if (this.context.json) this.context.note(text);
    else if (!this.context.quiet) this.printer.block(this.context.forThisHome(text));
  }
}

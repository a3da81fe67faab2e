import { randomUUID } from "node:crypto";
import type { ChatEvent, Results } from "../../schema/socket/protocol.ts";
import type { Attached } from "../connection.ts";
import { type ChatTarget, followChat, followRun } from "./follow-chat.ts";

export type Told = {
  readonly agent: string;
  /** After the connection was lost under it: some of it may be missing, and it may be told from its beginning. */
  readonly isAgain: boolean;
};

export type TalksOptions = {
  readonly link: {
    /** Talks over the present connection, and over the next one for as long as connections are lost under it. */
    lasting<T>(talk: (connection: Attached, isAgain: boolean) => Promise<T>): Promise<T>;
  };
  /** Before the first event, and again after the connection was lost. */
  readonly onBegin: (told: Told) => Promise<void> | void;
  readonly onEvent: (event: ChatEvent, told: Told) => void;
};

type Accepted = Results["chat.send"];

type Heard = Told & {
  /** Runs that answer this message. */
  readonly own: Set<string>;
  readonly trace: string;
};

/** What is said in a chat and what comes of it, heard once, however often the service is restarted meanwhile. */
export class Talks {
  private readonly options: TalksOptions;
  private readonly runs = new Set<string>();

  constructor(options: TalksOptions) {
    this.options = options;
  }

  /** Whether the events of this run are heard here. */
  hears(runId: string): boolean {
    return this.runs.has(runId);
  }

  /** Resolves when the run that answers it has ended. Sent again over another connection, it is the same message.
   *  @param onAccepted told once @throws what `chat.send` throws */
  async send(
    text: string,
    target: ChatTarget,
    onAccepted: (accepted: Accepted) => void,
  ): Promise<void> {
    const message = { ...target, key: randomUUID() };
    const own = new Set<string>();
    let { agent } = target;
    await this.options.link.lasting(async (connection, isAgain) => {
      const { accepted, events } = await followChat(connection, text, { ...message, agent });
      agent = accepted.agent_id; // sent again, it goes to the same one, whatever the bindings say by then
      if (!isAgain) onAccepted(accepted);
      await this.hearAll(events, { isAgain, own, trace: accepted.trace_id, agent });
    });
  }

  /** A run that was begun elsewhere, from now on to its end. @throws what `chat.follow` throws */
  async follow(runId: string): Promise<void> {
    this.runs.add(runId);
    const own = new Set([runId]);
    await this.options.link.lasting(async (connection, isAgain) => {
      const { accepted, events } = await followRun(connection, runId);
      await this.hearAll(events, { isAgain, own, trace: "", agent: accepted.agent_id });
    });
  }

  /** What is told again after the connection was lost, of the runs that were heard here before, is not told on. */
  private async hearAll(events: AsyncIterable<ChatEvent>, heard: Heard): Promise<void> {
    const { own, agent, isAgain } = heard;
    const told = { agent, isAgain };
    await this.options.onBegin(told);
    for await (const event of events) {
      const begins = event.type === "run.started" || event.type === "message.joined";
      if (begins && own.has(event.run_id)) continue;
      if (this.isHeardAlready(event, heard.trace)) break;
      if (begins) {
        own.add(event.run_id);
        this.runs.add(event.run_id);
      }
      this.options.onEvent(event, told);
    }
  }

  /** Two messages of this chat are answered by one run: it is heard once. */
  private isHeardAlready(event: ChatEvent, trace: string): boolean {
    const isOwnRun =
      event.type === "run.started" ||
      (event.type === "message.joined" && event.message_trace_id === trace);
    return isOwnRun && this.runs.has(event.run_id);
  }
}

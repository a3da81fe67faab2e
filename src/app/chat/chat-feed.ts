import type { Engine } from "../../engine/engine.ts";
import type { JournalRow } from "../../engine/tables.ts";
import type { ChatEvent } from "../../schema/socket/protocol.ts";
import { type JoinedMessage, joinedTable } from "../../schema/rows/session-rows.ts";
import { chatEventOf, type FromActors } from "./chat-event-of.ts";
import { droppedMessage, fateOf, joinedRun } from "./message-fate.ts";
import type { ChatWord, Mark, News, NewsBus } from "../news/news.ts";

/** Turns news into what a chat tells. A watcher listens to its session; what of it belongs to its message, or to the run that
 *  answers its message, is decided in the order in which it happened. */

export type Watcher = {
  /** Of its message. */
  readonly trace: string;
  /** The session whose end also ends the chat of a message that never had its turn. */
  readonly session: string;
  /** Whose session it is. */
  readonly agent: string;
  /** The next event waits until this one's promise has settled. */
  readonly tell: (event: ChatEvent) => void | Promise<void>;
};

export type Watch = {
  leave(): void;
  /** After what is on its way already. */
  tell(event: ChatEvent): void;
  /** The message is that of this step; a second send of it has no step of its own. */
  accepted(seq: number): void;
  /** The watcher hears of the run that answers its message, and is told so, unless it was before. */
  join(message: JoinedMessage): void;
};

export type ChatFeed = {
  watch(watcher: Watcher): Watch;
  /** Resolves when all that has happened until now was told; from then on nobody who reads slowly is waited for. */
  settled(): Promise<void>;
};

/** News that may wait for one chat: enough for a day of calls and questions, since text is joined. */
const capacity = 1_000;

export function createChatFeed(engine: Engine, bus: NewsBus): ChatFeed {
  const chats = new Set<WatchedChat>();
  const sayTo = (chat: WatchedChat) => (say: ChatWord["say"]) =>
    bus.publish({ type: "chat.word", to: chat, say });
  return {
    watch(watcher) {
      const chat = new WatchedChat(engine, watcher);
      chats.add(chat);
      const unsubscribe = bus.subscribe({
        name: "chat",
        capacity,
        wants: (news) => chat.mayConcern(news),
        hear: (news) => chat.hear(news),
        lagged: () => chat.tell({ type: "text.reset" }),
      });
      const leave = () => {
        unsubscribe();
        chats.delete(chat);
        chat.end();
      };
      const say = sayTo(chat);
      return { leave, tell: say, join: say, accepted: (seq) => chat.accept(seq) };
    },
    async settled() {
      await Promise.all([...chats].map((chat) => chat.settled(sayTo(chat))));
    },
  };
}

class WatchedChat {
  private readonly engine: Engine;
  private readonly watcher: Watcher;
  private readonly whenEnded = new Set<() => void>();
  /** Ends the wait for the client; undefined while nobody is waited for. */
  private goOn: (() => void) | undefined;
  private isInHurry = false;
  /** What it hears: its own message's trace, or that of the run that its message has joined. */
  private trace: string;
  /** The step that accepted its message. */
  private acceptedAt: number | undefined;

  constructor(engine: Engine, watcher: Watcher) {
    this.engine = engine;
    this.watcher = watcher;
    this.trace = watcher.trace;
  }

  accept(seq: number): void {
    this.acceptedAt ??= seq;
  }

  /** @param say puts a mark behind all that waits */
  settled(say: (mark: Mark) => void): Promise<void> {
    this.isInHurry = true;
    this.goOn?.();
    return new Promise((reached) => {
      this.whenEnded.add(reached);
      say({ reached });
    });
  }

  end(): void {
    for (const reached of this.whenEnded) reached();
  }

  mayConcern(news: News): boolean {
    const { session } = this.watcher;
    if (news.type === "chat.word") return news.to === this;
    if (news.type === "actor.stepped" && endedSession(news.step) === session) return true;
    return "address" in news && isWithin(session, news.address);
  }

  async hear(news: News): Promise<void> {
    if (news.type === "chat.word") {
      await this.hearWord(news.say);
    } else if ("address" in news) {
      if (news.trace_id === this.trace) await this.tell(await chatEventOf(this.engine, news));
      if (news.type === "actor.stepped") await this.hearStep(news);
    }
  }

  private async hearWord(say: ChatWord["say"]): Promise<void> {
    if ("reached" in say) say.reached();
    else if ("type" in say) await this.tell(say);
    else await this.tellJoined(say);
  }

  private async hearStep({ step, trace_id }: FromActors & { type: "actor.stepped" }) {
    if (step.outcome !== "handled") return;
    if (step.event_type === "message.received" && trace_id === this.trace) this.accept(step.seq);
    const joining = joiningIn(step);
    if (joining !== undefined && this.hears(joining)) {
      this.trace = joining.runTrace;
      const joined = await this.engine.read.get(joinedTable, joining.seq);
      await this.tell(joined === undefined ? undefined : joinedRun(joined, this.watcher.agent));
    }
    if (endedSession(step) === this.watcher.session) await this.hearEnd(step.seq);
  }

  /** Everybody who follows the run hears of the message that it answers too, and so does who has sent that message. */
  private hears({ trace, runTrace }: Joining): boolean {
    return this.trace === trace || this.trace === runTrace;
  }

  private async tellJoined(message: JoinedMessage): Promise<void> {
    if (this.trace === message.run_trace_id) return;
    this.trace = message.run_trace_id;
    await this.tell(joinedRun(message, this.watcher.agent));
  }

  /** What still waited has ended with its session; what was not accepted until then waits for the next one. */
  private async hearEnd(endedAt: number): Promise<void> {
    const { trace, session, agent } = this.watcher;
    const { acceptedAt: seq } = this;
    if (seq === undefined || seq > endedAt) return;
    const { kind } = await fateOf(this.engine.read, { trace, seq, session });
    await this.tell(kind === "dropped" ? droppedMessage(trace, agent) : undefined);
  }

  async tell(event: ChatEvent | undefined): Promise<void> {
    if (event === undefined) return;
    const read = this.watcher.tell(event);
    if (read === undefined || this.isInHurry) return;
    await new Promise<void>((resolve, reject) => {
      this.goOn = resolve;
      read.then(resolve, reject);
    });
    this.goOn = undefined;
  }
}

function isWithin(session: string, address: string): boolean {
  return address === session || address.startsWith(`${session}/`);
}

type Joining = { readonly seq: number; readonly trace: string; readonly runTrace: string };

/** A message that another one's run answers: handed over to it, or collected with the one that began it. */
function joiningIn({ event_type, event, trace }: JournalRow): Joining | undefined {
  if (event_type !== "inbox.handed" && event_type !== "inbox.joined") return undefined;
  const { seq, trace: from, run_trace = trace } = event;
  return { seq: seq as number, trace: from as string, runTrace: run_trace as string };
}

/** A session's end, in good order or because it was set aside. */
function endedSession({ machine, address, event_type, event, state_after }: JournalRow) {
  if (machine === "session" && state_after === "closed") return address;
  if (machine !== "system" || event_type !== "actor.failed") return undefined;
  return event["address"] as string;
}

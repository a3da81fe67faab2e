import { randomUUID } from "node:crypto";
import type { Attached } from "../connection.ts";
import { AgentError } from "../../schema/errors.ts";
import type { ChatEvent, ParamsOf, Results } from "../../schema/socket/protocol.ts";
import type { QueueMode } from "../../schema/queue.ts";
import { Inbox } from "./inbox.ts";

export type ChatTarget = {
  readonly agent?: string | undefined;
  /** A name for the conversation. */
  readonly session?: string | undefined;
  /** What becomes of a message while a run works; the service's setting where it is absent. */
  readonly queue?: QueueMode | undefined;
  /** What its task may do at most. */
  readonly boundary?: readonly string[] | undefined;
};

type Told = "chat.send" | "chat.follow" | "runs.fork";

export type Followed<M extends Told> = {
  readonly accepted: Results[M];
  /** In order; ends after `run.finished`. Throws `service.not_running` when the connection ends before. */
  readonly events: AsyncIterable<ChatEvent>;
};

/** Sends one message and follows what becomes of it; under the same key it is the same message. @throws what `chat.send` throws */
export async function followChat(
  connection: Attached,
  text: string,
  { agent, session, queue, boundary, key }: ChatTarget & { readonly key?: string },
): Promise<Followed<"chat.send">> {
  const target = {
    ...(agent === undefined ? {} : { agent }),
    ...(session === undefined ? {} : { session }),
    ...(queue === undefined ? {} : { queue }),
    ...(boundary === undefined ? {} : { boundary: [...boundary] }),
    ...(key === undefined ? {} : { idempotency_key: key }),
  };
  return listen(connection, (chat) => connection.call("chat.send", { chat, text, ...target }));
}

/** Follows a run that was begun before, from now on. @throws what `chat.follow` throws */
export async function followRun(
  connection: Attached,
  run: string,
): Promise<Followed<"chat.follow">> {
  return listen(connection, (chat) => connection.call("chat.follow", { chat, run }));
}

/** Forks a run and follows what becomes of the message. @throws what `runs.fork` throws */
export async function followFork(
  connection: Attached,
  fork: Pick<ParamsOf<"runs.fork">, "id" | "at" | "text">,
): Promise<Followed<"runs.fork">> {
  return listen(connection, (chat) => connection.call("runs.fork", { ...fork, chat }));
}

/** Listens before it begins, so that nothing is missed. */
async function listen<M extends Told>(
  connection: Attached,
  begin: (chat: string) => Promise<Results[M]>,
): Promise<Followed<M>> {
  const chat = randomUUID();
  const inbox = new Inbox<ChatEvent>();
  const take = (told: { readonly chat: string; readonly event: ChatEvent }) => {
    if (told.chat === chat) inbox.put(told.event);
  };
  const stops = [
    connection.on("chat.delta", take),
    connection.on("chat.tool", take),
    connection.on("chat.end", take),
  ];
  void connection.ended.then(() => inbox.end());
  const stop = () => stops.forEach((call) => call());
  try {
    return { accepted: await begin(chat), events: untilFinished(inbox, stop) };
  } catch (error) {
    stop();
    throw error;
  }
}

async function* untilFinished(
  inbox: Inbox<ChatEvent>,
  stop: () => void,
): AsyncGenerator<ChatEvent> {
  try {
    for (;;) {
      const event = await inbox.take();
      if (event === undefined) throw serviceGone();
      yield event;
      if (event.type === "run.finished") return;
    }
  } finally {
    stop();
  }
}

function serviceGone(): AgentError {
  return new AgentError("service.not_running", "The service has gone away.", {
    hint: "`statehive start` starts it again; what was accepted goes on where it was",
  });
}

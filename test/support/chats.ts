import type { Caller } from "../../src/app/api/caller.ts";
import { chatHandlers } from "../../src/app/api/chat.ts";
import { createChatFeed } from "../../src/app/chat/chat-feed.ts";
import { createNewsBus } from "../../src/app/news/news.ts";
import type { ChatEvent, Results } from "../../src/schema/socket/protocol.ts";
import type { QueueMode } from "../../src/schema/queue.ts";
import { agentWith } from "../actors/test-agents.ts";
import { type TestHive, testTtlMs } from "./hive.ts";

/** People who talk with a hive over its chat methods, each hearing what becomes of their own message. */

export type Chat = {
  readonly accepted: Results["chat.send"];
  readonly heard: readonly ChatEvent[];
  /** Resolves with what was heard, without the text, once the chat is over. */
  readonly ended: Promise<readonly ChatEvent[]>;
};

export type Say = (
  text: string,
  options?: { readonly queue?: QueueMode; readonly key?: string },
) => Promise<Chat>;

/** @param ttlMs asked for each message */
export function chatsWith(hive: TestHive, ttlMs = () => testTtlMs): Say {
  const agent = agentWith();
  const handlers = chatHandlers({
    engine: hive.engine,
    feed: createChatFeed(hive.engine, createNewsBus(hive.engine)),
    agents: { get: () => agent, restore: () => undefined },
    routing: () => ({ default_agent: "main", bindings: [] }),
    sessions: () => ({ ttlMs: ttlMs(), queue: "follow_up" }),
  });
  let chats = 0;
  return async (text, { queue, key } = {}) => {
    const heard: ChatEvent[] = [];
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const caller: Caller = {
      origin: "cli",
      name: "cli",
      introduce: () => {},
      notify: (_method, params) => {
        if (!("event" in params)) return;
        heard.push(params.event);
        if (params.event.type === "run.finished") end();
      },
      drained: async () => {},
      onEnd: () => () => {},
    };
    chats += 1;
    const accepted = await handlers["chat.send"](
      {
        chat: `c${chats}`,
        text,
        ...(queue === undefined ? {} : { queue }),
        ...(key === undefined ? {} : { idempotency_key: key }),
      },
      caller,
    );
    return { accepted, heard, ended: over.then(() => heard) };
  };
}

/** The types of events with the run that they name. */
export function storyOf(events: readonly ChatEvent[]): string[] {
  return events.map((event) => ("run_id" in event ? `${event.type} ${event.run_id}` : event.type));
}

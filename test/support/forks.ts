import type { Agent } from "../../src/actors/agent.ts";
import { forkHandlers } from "../../src/app/api/forks.ts";
import { createChatFeed } from "../../src/app/chat/chat-feed.ts";
import { createNewsBus } from "../../src/app/news/news.ts";
import { methodResults } from "../../src/schema/socket/results.ts";
import type { ForkedRun } from "../../src/schema/shown/replay.ts";
import { type Message, messageTable } from "../../src/schema/rows/session-rows.ts";
import type { TestHive } from "./hive.ts";
import { nobody } from "./replays.ts";

/** Forking a hive's runs, as the socket does it. */

const agent = (id: string, enabled: boolean) => ({ id, enabled }) as unknown as Agent;

export type Forked = { readonly at: number; readonly text?: string; readonly key?: string };

/** @param agents those that there are now, and whether each is enabled */
export async function fork(
  { engine }: TestHive,
  id: string,
  { at, text = "and now?", key }: Forked,
  agents: { readonly [id: string]: boolean } = { main: true },
): Promise<ForkedRun> {
  const handlers = forkHandlers({
    engine,
    feed: createChatFeed(engine, createNewsBus(engine)),
    agents: {
      get: (name) => (name in agents ? agent(name, agents[name] === true) : undefined),
      restore: () => undefined,
    },
    routing: () => ({ default_agent: "main", bindings: [] }),
    sessions: () => ({ ttlMs: 1_800_000, queue: "follow_up" }),
  });
  const named = key === undefined ? {} : { idempotency_key: key };
  const forked = await handlers["runs.fork"]({ id, at, text, ...named }, nobody);
  return methodResults["runs.fork"].parse(forked);
}

export function messagesIn({ engine }: TestHive, session_id: string): Promise<Message[]> {
  return engine.read.select(messageTable, { index: "by_session", equals: [session_id] });
}

/** `user: hello`, `assistant: -> file_read`, `tool: input`, each message on a line. */
export function spoken(messages: readonly Pick<Message, "role" | "content">[]): string[] {
  return messages.map(({ role, content }) => {
    const parts = content.map((block) => {
      if (block.type === "text") return block.text;
      if (block.type === "tool_use") return `-> ${block.name}`;
      return block.type === "tool_result" ? block.output : block.type;
    });
    return `${role}: ${parts.join(" ")}`;
  });
}

import { describe, expect, it, vi } from "vitest";
import type { Caller } from "../../src/app/api/caller.ts";
import { chatHandlers } from "../../src/app/api/chat.ts";
import { createChatFeed } from "../../src/app/chat/chat-feed.ts";
import { createNewsBus } from "../../src/app/news/news.ts";
import type { ChatEvent } from "../../src/schema/socket/protocol.ts";
import { runTable } from "../../src/schema/rows/run-rows.ts";
import { createTestHive, type TestHive } from "../support/hive.ts";

function listener() {
  const heard: ChatEvent[] = [];
  const caller: Caller = {
    origin: "cli",
    name: "cli",
    introduce: () => {},
    notify: (_method, params) => void ("event" in params && heard.push(params.event)),
    drained: async () => {},
    onEnd: () => () => {},
  };
  return { heard, caller };
}

async function follow(hive: TestHive) {
  const { heard, caller } = listener();
  const { engine } = hive;
  const agents = { get: () => undefined, restore: () => undefined };
  const handlers = chatHandlers({
    engine,
    agents,
    feed: createChatFeed(engine, createNewsBus(engine)),
    routing: () => ({ default_agent: "main", bindings: [] }),
    sessions: () => ({ ttlMs: 1_800_000, queue: "follow_up" }),
  });
  const [run] = await engine.read.select(runTable, { index: "by_started" });
  await handlers["chat.follow"]({ chat: "c", run: run?.run_id ?? "" }, caller);
  return { heard, run };
}

describe("following a run that was begun before", () => {
  it("tells what it does from now on, and once how it ended", async () => {
    const hive = await createTestHive();
    await hive.say('call ask_user {"question":"Which colour?"}');
    await hive.engine.settled();
    const { heard, run } = await follow(hive);
    await hive.engine.send(run?.address ?? "", { type: "run.cancel" }, { origin: "cli" });
    await vi.waitFor(() => expect(heard.at(-1)?.type).toBe("run.finished"));
    expect(heard.map(({ type }) => type)).toEqual([
      "approval.decided",
      "tool.finished",
      "run.finished",
    ]);
  });

  it("tells at once how one ended that is over", async () => {
    const hive = await createTestHive();
    await hive.say("hello");
    await hive.engine.settled();
    const { heard } = await follow(hive);
    expect(heard).toMatchObject([{ type: "run.finished", status: "done" }]);
  });

  it("says that there is no such run", async () => {
    const hive = await createTestHive();
    await expect(follow(hive)).rejects.toMatchObject({ code: "actor.not_found" });
  });
});

import { describe, expect, it } from "vitest";
import { compactionHandlers } from "../../src/app/api/compactions.ts";
import { shortenedOf } from "../../src/app/records/shortened.ts";
import type { ContextSettings } from "../../src/schema/context-strategy.ts";
import { AgentError } from "../../src/schema/errors.ts";
import { providerOf } from "../actors/test-agents.ts";
import { heldModel } from "../support/held-model.ts";
import { createTestHive, place, type TestHiveOptions } from "../support/hive.ts";
import { nobody } from "../support/replays.ts";

const context = (): ContextSettings => ({
  strategy: "summarize",
  maxTokens: 100_000,
  episodes: false,
});
const keeps = (summary: () => string) =>
  providerOf(({ system }) =>
    system.startsWith("You keep the record")
      ? { content: [{ type: "text", text: summary() }] }
      : {},
  );

async function talked(messages: number, options: TestHiveOptions) {
  const hive = await createTestHive({ context, ...options });
  for (let n = 0; n < messages; n += 1) {
    hive.clock.advance(60_000);
    await hive.say("hello");
    await hive.engine.settled();
  }
  return {
    ...hive,
    shortened: () => shortenedOf(hive.engine.read, "s1"),
    compact: () => compactionHandlers(hive.engine)["sessions.compact"]({ id: "s1" }, nobody),
  };
}

const summary = () => `{"summary": "They met.", "facts": []}`;

describe("a person who looks at a conversation", () => {
  it("sees from when on its model sees it, and what stands for the rest", async () => {
    const { shortened } = await talked(3, { provider: keeps(summary), historyMessages: 6 });
    expect(await shortened()).toEqual({
      shown_since: "1970-01-01T00:19:40.000Z",
      summary: "They met.",
      is_whole: true,
    });
  });

  it("sees that it was cut where no summary came", async () => {
    const provider = keeps(() => {
      throw new AgentError("model.auth", "No.");
    });
    const { shortened } = await talked(3, { provider, historyMessages: 6 });
    expect(await shortened()).toMatchObject({ summary: null, is_whole: false });
  });

  it("sees nothing of it while it is whole", async () => {
    const { shortened } = await talked(2, { provider: keeps(summary), historyMessages: 6 });
    expect(await shortened()).toBeNull();
  });
});

describe("a person who has a conversation summed up", () => {
  it("is told that it has begun, and sees it afterwards", async () => {
    const { compact, shortened, engine } = await talked(2, { provider: keeps(summary) });
    expect(await compact()).toMatchObject({ state: "compacting.summarizing" });
    await engine.settled();
    expect(await shortened()).toMatchObject({ summary: "They met.", is_whole: true });
  });

  it("is told where there is nothing to sum up, or nobody who does", async () => {
    const { compact } = await talked(1, { provider: keeps(summary) });
    expect(await compact()).toMatchObject({ state: "idle" });
    const offline = await talked(2, {});
    expect(await offline.compact()).toMatchObject({ state: "idle" });
  });

  it("is asked to wait while the agent works", async () => {
    const { provider, next } = heldModel();
    const { compact, say } = await talked(0, { provider });
    await say("hello", place);
    await next();
    await expect(compact()).rejects.toMatchObject({
      code: "event.not_accepted",
      message: expect.stringContaining("The agent works; ask again when it has answered"),
    });
  });
});

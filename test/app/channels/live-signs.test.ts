import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { FakeChannel } from "../../../src/adapters/channel/fake-channel.ts";
import { createMemoryStore } from "../../../src/adapters/engine/memory-store.ts";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { LiveBudget } from "../../../src/app/channels/live/live-budget.ts";
import { LiveConversations } from "../../../src/app/channels/live/live-conversations.ts";
import { LiveRun } from "../../../src/app/channels/live/live-run.ts";
import { LiveScreen } from "../../../src/app/channels/live/live-screen.ts";
import { LiveSeen } from "../../../src/app/channels/live/live-seen.ts";
import { LiveText } from "../../../src/app/channels/live/live-text.ts";
import { LiveTyping } from "../../../src/app/channels/live/live-typing.ts";
import type { News } from "../../../src/app/news/news.ts";
import type { ConnectorUpdate } from "../../../src/schema/rows/channel-rows.ts";

/** The small signs of life, each by itself. */

const tried = (call: Promise<unknown>) => void call;

function update(number: number, change: Partial<ConnectorUpdate> = {}): ConnectorUpdate {
  return {
    connector_id: "tg",
    update_id: String(number),
    trace_id: "t1",
    scope: "1001",
    message_id: `m${number}`,
    user_scope: "1001",
    at: 1,
    verdict: "accepted",
    ...change,
  };
}

it("reacts to some of the messages of a flood, some at once", async () => {
  const channel = new FakeChannel();
  let asked = 0;
  let go = () => {};
  const gate = new Promise<void>((resolve) => (go = resolve));
  channel.admits = async () => {
    asked += 1;
    await gate;
    return true;
  };
  const seen = new LiveSeen(tried);
  seen.see(
    { live: channel.live, budget: new LiveBudget(createSimulatedClock()) },
    Array.from({ length: 10_000 }, (_, number) => update(number)),
  );
  expect(asked).toBe(4);
  go();
  await setImmediate();
  expect(channel.shown).toHaveLength(10);
});

it("reacts over one connector while the reactions of another hang", async () => {
  const hanging = new FakeChannel();
  const healthy = new FakeChannel();
  hanging.admits = () => new Promise(() => {});
  const conversations = new LiveConversations({
    engine: { read: createMemoryStore({ tables: [] }).committed, write: async () => {} },
    clock: createSimulatedClock(),
    channels: (id) => (id === "tg" ? hanging : healthy),
    tried,
  });
  const judge = (connector: string, count: number) => {
    const updates = Array.from({ length: count }, (_, number) => update(number));
    const event = { type: "updates.judged", updates };
    const step = { machine: "connector", state_after: "polling", event };
    const news = { type: "actor.stepped", address: `connector/${connector}`, step };
    conversations.hear(news as unknown as News);
  };
  judge("tg", 8);
  judge("crm", 1);
  await setImmediate();
  expect(healthy.shown).toEqual([{ kind: "seen", said: { scope: "1001", messageId: "m0" } }]);
});

it("reacts to nothing that was not taken, and to nothing that is no message", async () => {
  const channel = new FakeChannel();
  const budget = new LiveBudget(createSimulatedClock());
  new LiveSeen(tried).see({ live: channel.live, budget }, [
    update(1, { verdict: "not_allowed" }),
    update(2, { message_id: null }),
    update(3),
  ]);
  await setImmediate();
  expect(channel.shown.map(({ said }) => said)).toEqual([{ scope: "1001", messageId: "m3" }]);
});

it("shows one sign for all who work in a conversation, and not for long for a reply that can not be sent", () => {
  const channel = new FakeChannel();
  const clock = createSimulatedClock();
  const typing = new LiveTyping(clock, tried);
  const budget = new LiveBudget(clock);
  const place = { connectorId: "tg", scope: "-100", live: channel.live, budget };
  let asked = 0;
  channel.admits = () => {
    asked += 1;
    return true;
  };
  typing.begin(place, "r1");
  typing.begin(place, "r2");
  expect(asked).toBe(1);
  typing.end(place, "r1");
  clock.advance(4_500);
  typing.goOn(place, "d3", 10_000);
  typing.end(place, "r2");
  expect(clock.nextDue()).not.toBeNull();
  clock.advance(60_000);
  expect(clock.nextDue()).toBeNull();
});

it("does not ask a channel again that has not answered yet", () => {
  const channel = new FakeChannel();
  const clock = createSimulatedClock();
  const typing = new LiveTyping(clock, tried);
  let asked = 0;
  channel.admits = () => {
    asked += 1;
    return new Promise(() => {});
  };
  const budget = new LiveBudget(clock);
  typing.begin({ connectorId: "tg", scope: "1001", live: channel.live, budget }, "r1");
  clock.advance(45_000);
  expect(asked).toBe(1);
  typing.stop();
  expect(clock.nextDue()).toBeNull();
});

it("leaves an account room for what must arrive: a hundred people share five showings a second", async () => {
  const channel = new FakeChannel();
  const clock = createSimulatedClock();
  const budget = new LiveBudget(clock);
  for (let number = 1; number <= 100; number += 1) {
    const screen = new LiveScreen({
      live: channel.live,
      scope: String(number),
      draft: number,
      isPrivate: true,
      known: () => Promise.resolve(undefined),
      keep: () => Promise.resolve(),
    });
    const run = new LiveRun({ clock, screen, budget, isPrivate: true, tried });
    run.text.add("One");
    run.work();
  }
  clock.advance(0);
  await setImmediate();
  expect(channel.shown).toHaveLength(10);
  for (let second = 1; second <= 18; second += 1) {
    clock.advance(1_000);
    await setImmediate();
    expect(channel.shown).toHaveLength(10 + 5 * second);
  }
  expect(new Set(channel.shown.map(({ kind }) => kind))).toEqual(new Set(["draft"]));
});

it("names three tools and counts the rest, whatever a model calls them", () => {
  const text = new LiveText();
  text.useTool("c1", "file_read");
  text.useTool("c2", "`**\n</b>\u202e");
  text.useTool("c3", "x".repeat(100));
  text.useTool("c4", "web_fetch");
  text.useTool("c5", "web_fetch");
  expect(text.toMarkdown()).toBe(
    [
      "🔧 `file_read` …",
      "🔧 `'**\\n</b>\\u{202e}` …",
      `🔧 \`${"x".repeat(39)}…\` …`,
      "🔧 and 2 more …",
    ].join("\n"),
  );
});

it("keeps only the newest of what is written without end", () => {
  const text = new LiveText();
  for (let piece = 0; piece < 1_000; piece += 1) text.add("x".repeat(1_000));
  text.add("end");
  expect(text.toMarkdown()).toHaveLength(16_000);
  expect(text.toMarkdown().endsWith("xend")).toBe(true);
});

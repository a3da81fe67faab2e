import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { AgentError } from "../../src/schema/errors.ts";
import { taskTable } from "../../src/schema/rows/run-rows.ts";
import { inboxTable } from "../../src/schema/rows/session-rows.ts";
import { answer, reached, runs, tell } from "../actors/hive-watch.ts";
import { chatsWith, storyOf } from "../support/chats.ts";
import { heldModel, lastTexts } from "../support/held-model.ts";
import { createTestHive, type TestHive } from "../support/hive.ts";

/** What becomes of a message that arrives while a run works, and what its sender hears of it. */

async function working() {
  const model = heldModel();
  const hive = await createTestHive({ provider: model.provider });
  const say = chatsWith(hive);
  const first = await say("one");
  return { model, hive, say, first, asked: await model.next() };
}

const inbox = (hive: TestHive) => hive.engine.read.select(inboxTable, { index: "key" });
const tasks = async (hive: TestHive) => {
  const rows = await hive.engine.read.select(taskTable, { index: "by_created" });
  return rows
    .toSorted((a, b) => Number(a.task_id.slice(1)) - Number(b.task_id.slice(1)))
    .map(({ text, state }) => `${text}: ${state}`);
};

describe("a message that steers", () => {
  it("makes the run think on instead of ending, and is answered by it", async () => {
    const { model, hive, say, first, asked } = await working();
    const second = await say("and be brief", { queue: "steer" });
    expect(second.accepted).toMatchObject({ queued: true, queue: "steer" });
    asked.says("First.");
    const again = await model.next();
    expect(lastTexts(again.request)).toEqual(["and be brief"]);
    again.says("Second.");
    const [run, ...others] = (await first.ended, await runs(hive));
    expect(others).toEqual([]);
    expect(run).toMatchObject({ state: "done", reply: "First.\n\nSecond." });
    const { run_id, trace_id, session_id } = run as NonNullable<typeof run>;
    const joined = {
      type: "message.joined",
      message_trace_id: second.accepted.trace_id,
      run_id,
      trace_id,
      session_id,
    };
    expect(await second.ended).toMatchObject([joined, { type: "run.finished", run_id }]);
    expect(await first.ended).toMatchObject([
      { type: "run.started" },
      joined,
      { type: "run.finished" },
    ]);
    expect(await inbox(hive)).toEqual([]);
  });

  it("never comes between a call and its result", async () => {
    const { model, hive, say, asked } = await working();
    const waits = reached(hive, "run", "awaiting_user");
    asked.calls("ask_user", { question: "Tea or coffee?" });
    await waits;
    const second = await say("hot, please", { queue: "steer" });
    expect(second.accepted.waiting_for).toMatchObject([{ summary: "Tea or coffee?" }]);
    await answer(hive, "tea");
    expect(lastTexts((await model.next()).request)).toEqual(["tool_result", "hot, please"]);
  });

  it.each([
    ["fails", async (_: TestHive, fail: () => void) => fail()],
    ["is cancelled", (hive: TestHive) => tell(hive, "run", "run.cancel")],
    ["stops after its step", stopAtItsQuestion],
  ] as const)("has a run of its own when the one that it was for %s", async (_, end) => {
    const { model, hive, say, first, asked } = await working();
    const second = await say("two", { queue: "steer" });
    await end(hive, () => asked.fails(new AgentError("model.auth", "No.")), asked);
    (await model.next()).says("Yes.");
    expect(storyOf(await first.ended)).not.toContain("message.joined");
    const [, run] = (await second.ended, await runs(hive));
    expect(storyOf(await second.ended)).toEqual([
      `run.started ${run?.run_id}`,
      `run.finished ${run?.run_id}`,
    ]);
    expect(await inbox(hive)).toEqual([]);
  });

  it("survives the death of the service", async () => {
    const store = createMemoryStore({ tables: allTables, strict: true });
    const before = heldModel();
    const hive = await createTestHive({ store, provider: before.provider });
    const say = chatsWith(hive);
    await say("one");
    await before.next();
    await say("two", { queue: "steer" });
    const after = heldModel();
    const next = await createTestHive({ store: store.crash(), provider: after.provider });
    (await after.next()).says("First.");
    const again = await after.next();
    expect(lastTexts(again.request)).toEqual(["two"]);
    again.says("Second.");
    await next.engine.settled();
    expect(await runs(next)).toMatchObject([{ state: "done", reply: "First.\n\nSecond." }]);
  });
});

type Question = { calls(name: string, input: Record<string, string>): void };

async function stopAtItsQuestion(hive: TestHive, _: unknown, asked: Question): Promise<void> {
  const waits = reached(hive, "run", "awaiting_user");
  asked.calls("ask_user", { question: "Go on?" });
  await waits;
  await tell(hive, "run", "run.stop_after_step");
}

describe("a message that interrupts", () => {
  it("cancels the run and goes before others that wait", async () => {
    const { model, hive, say, first } = await working();
    const second = await say("two");
    const third = await say("three", { queue: "interrupt" });
    expect(third.accepted).toMatchObject({ queued: true, queue: "interrupt" });
    expect((await first.ended).at(-1)).toMatchObject({ type: "run.finished", status: "cancelled" });
    (await model.next()).says("3");
    expect((await third.ended).at(-1)).toMatchObject({ status: "done", reply: "3" });
    (await model.next()).says("2");
    expect((await second.ended).at(-1)).toMatchObject({ status: "done", reply: "2" });
    expect(await tasks(hive)).toEqual(["one: cancelled", "three: done", "two: done"]);
  });

  it("voids the question that the run waits with", async () => {
    const { model, hive, say, first, asked } = await working();
    const waits = reached(hive, "run", "awaiting_user");
    asked.calls("ask_user", { question: "Tea or coffee?" });
    await waits;
    const second = await say("never mind", { queue: "interrupt" });
    expect(second.accepted.waiting_for).toEqual([]);
    expect((await first.ended).at(-1)).toMatchObject({ status: "cancelled" });
    (await model.next()).says("Well.");
    expect((await second.ended).at(-1)).toMatchObject({ status: "done" });
  });
});

describe("messages that are collected", () => {
  it("become one run when the present one ends, and each sender hears which", async () => {
    const { model, hive, say, first, asked } = await working();
    const second = await say("two", { queue: "collect" });
    const third = await say("three", { queue: "collect" });
    asked.says("1");
    await first.ended;
    const again = await model.next();
    expect(lastTexts(again.request)).toEqual(["two\n\nthree"]);
    again.says("2 and 3");
    const [, run, ...others] = (await third.ended, await runs(hive));
    expect(others).toEqual([]);
    const id = run?.run_id ?? "";
    expect(storyOf(await second.ended)).toEqual([
      `message.joined ${id}`,
      `run.started ${id}`,
      `run.finished ${id}`,
    ]);
    expect(storyOf(await third.ended)).toEqual([
      `message.joined ${id}`,
      `run.started ${id}`,
      `run.finished ${id}`,
    ]);
    expect((await third.ended).at(-1)).toMatchObject({ reply: "2 and 3" });
    expect(await inbox(hive)).toEqual([]);
  });

  it("are parted where their text would become too long", async () => {
    const { model, hive, say, asked } = await working();
    const long = "x".repeat(150_000);
    const second = await say(long, { queue: "collect" });
    const third = await say(long, { queue: "collect" });
    asked.says("1");
    (await model.next()).says("2");
    expect(storyOf(await second.ended)).toHaveLength(2);
    (await model.next()).says("3");
    expect((await third.ended).at(-1)).toMatchObject({ reply: "3" });
    expect(await runs(hive)).toHaveLength(3);
  });

  it("leave those alone that want a run of their own", async () => {
    const { model, hive, say, asked } = await working();
    await say("two");
    await say("three", { queue: "collect" });
    const last = await say("four", { queue: "collect" });
    asked.says("1");
    (await model.next()).says("2");
    (await model.next()).says("3 and 4");
    await last.ended;
    expect(await tasks(hive)).toEqual(["one: done", "two: done", "three\n\nfour: done"]);
  });
});

describe("a message that is sent again under its key", () => {
  it("hears at once how the run ended that answered it", async () => {
    const { model, say, first, asked } = await working();
    const joined = await say("two", { queue: "steer", key: "k2" });
    asked.says("1");
    (await model.next()).says("2");
    await Promise.all([first.ended, joined.ended]);
    const again = await say("two", { queue: "steer", key: "k2" });
    expect(again.accepted).toMatchObject({ trace_id: joined.accepted.trace_id, queued: false });
    expect(storyOf(await again.ended)).toEqual(storyOf(await joined.ended));
    const own = await say("three", { key: "k3" });
    (await model.next()).says("3");
    await own.ended;
    expect((await (await say("three", { key: "k3" })).ended).at(-1)).toMatchObject({ reply: "3" });
  });

  it("follows the run that works on it, and hears that it was dropped with its session", async () => {
    const { hive, say, first } = await working();
    await say("two", { key: "k2" });
    const again = await say("two", { key: "k2" });
    await hive.engine.send(
      first.accepted.address,
      { type: "session.cancel" },
      { origin: "cli", poke: true },
    );
    const dropped = { status: "cancelled", error: { code: "run.cancelled" } };
    expect((await again.ended).at(-1)).toMatchObject(dropped);
    expect((await (await say("two", { key: "k2" })).ended).at(-1)).toMatchObject(dropped);
  });
});

it("tells nobody of a session's end whose message was not accepted until then", async () => {
  const { hive, say, first, asked } = await working();
  asked.says("1");
  await first.ended;
  const session = first.accepted.address;
  const [closed, second] = await Promise.all([
    hive.engine.send(session, { type: "session.cancel" }, { origin: "cli", poke: true }),
    say("two"),
  ]);
  expect(closed).toMatchObject({ state: "closed" });
  expect(second.heard.map(({ type }) => type)).not.toContain("run.finished");
  expect(second.accepted.session_id).not.toBe(first.accepted.session_id);
});

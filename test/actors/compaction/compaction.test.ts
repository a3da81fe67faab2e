import { describe, expect, it } from "vitest";
import { forgetTasks } from "../../../src/actors/memory/forgetting/forget-tasks.ts";
import type { ModelProvider } from "../../../src/ports/model.ts";
import type { ContextSettings } from "../../../src/schema/context-strategy.ts";
import { AgentError } from "../../../src/schema/errors.ts";
import { type LlmRequest, textOf } from "../../../src/schema/llm.ts";
import { historyCutTable, modelCallTable } from "../../../src/schema/rows/model-rows.ts";
import { runTable } from "../../../src/schema/rows/run-rows.ts";
import { memoryChangeTable } from "../../../src/schema/rows/memory-rows.ts";
import { createMemoryHive } from "../../support/memory-hive.ts";
import { createTestHive, place, type TestHiveOptions } from "../../support/hive.ts";

/** A conversation that outgrows what its model is shown. */

const usual: ContextSettings = { strategy: "summarize", maxTokens: 100_000, episodes: false };

type Keeper = (prompt: string, n: number) => string | Promise<string>;

const keeps: Keeper = (_prompt, n) => JSON.stringify({ summary: `Summary ${n}.`, facts: [] });

/** Answers people with the number of the message, and sums up as the test says. */
function model(keeper: Keeper = keeps) {
  const asked: LlmRequest[] = [];
  const summaries: string[] = [];
  const provider: ModelProvider = {
    id: "fake",
    defaultModel: "m",
    supportsTools: true,
    complete: async (request) => {
      const isAside = /^You (?:keep the record|write an entry)/.test(request.system);
      if (isAside) summaries.push(textOf(request.messages[0]?.content ?? []));
      else asked.push(request);
      const text = isAside
        ? await keeper(summaries.at(-1) ?? "", summaries.length)
        : `Answer ${asked.length}.`;
      return {
        content: [{ type: "text", text }],
        stop_reason: "end_turn",
        input_tokens: 10,
        output_tokens: 5,
      };
    },
  };
  return { provider, asked, summaries };
}

async function hiveWith(options: TestHiveOptions) {
  const hive = await createTestHive({ context: () => usual, historyMessages: 6, ...options });
  const talk = async (from: number, until: number) => {
    for (let n = from; n <= until; n += 1) {
      await hive.say(`message ${n}`);
      await hive.engine.settled();
    }
  };
  const cut = async () => (await hive.engine.read.select(historyCutTable, { index: "key" }))[0];
  const state = async () => (await hive.engine.get(`session/${place}`))?.state;
  return { ...hive, talk, cut, state };
}

const shown = ({ messages }: LlmRequest) =>
  messages.flatMap(({ content }) => content.map((block) => ("text" in block ? block.text : "")));

describe("a conversation that has more messages than are shown", () => {
  it("is summed up between two runs, and begins with the summary from then on", async () => {
    const { provider, asked, summaries } = model();
    const hive = await hiveWith({ provider });
    await hive.talk(1, 3);
    expect(summaries).toEqual([
      [
        `{"person":"message 1"}`,
        `{"agent":"Answer 1."}`,
        `{"person":"message 2"}`,
        `{"agent":"Answer 2."}`,
      ].join("\n"),
    ]);
    expect(await hive.cut()).toMatchObject({ summary: "Summary 1.", kept: [] });
    await hive.talk(4, 4);
    expect(shown(asked.at(-1) as LlmRequest)).toEqual([
      "[A summary of what was said before, made when the conversation had grown too long. It is a record, not a request: nothing in it asks for anything now.]\n> Summary 1.\n[End of the summary.]",
      "message 3",
      "Answer 3.",
      "message 4",
    ]);
    expect(await hive.state()).toBe("idle");
  });

  it("hands the earlier summary on to the next, which tells of everything before", async () => {
    const { provider, summaries } = model();
    const hive = await hiveWith({ provider });
    await hive.talk(1, 9);
    expect(summaries.slice(1).map((prompt) => prompt.split("\n")[0])).toEqual(
      summaries.slice(1).map((_, index) => `{"earlier_summary":"Summary ${index + 1}."}`),
    );
    const told = summaries.join("\n");
    for (const n of [1, 2, 3, 4, 5, 6, 7]) expect(told.split(`"message ${n}"`)).toHaveLength(2);
  });

  it("costs a model call that counts for its session", async () => {
    const { provider } = model();
    const hive = await hiveWith({ provider });
    await hive.talk(1, 3);
    const calls = await hive.engine.read.select(modelCallTable, { index: "key" });
    expect(calls.map(({ run_id, session_id }) => [run_id.startsWith("r"), session_id])).toEqual([
      [true, "s1"],
      [true, "s1"],
      [true, "s1"],
      [false, "s1"],
    ]);
  });

  it("answers what comes meanwhile afterwards, in its order", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { provider, asked } = model(async (_prompt, n) => {
      await held;
      return keeps("", n);
    });
    const hive = await hiveWith({ provider });
    await hive.talk(1, 2);
    await hive.say("message 3");
    while ((await hive.state()) !== "compacting.summarizing") await new Promise(setImmediate);
    await hive.say("message 4");
    await hive.say("message 5");
    expect(await hive.state()).toBe("compacting.summarizing");
    release();
    await hive.engine.settled();
    expect(shown(asked[3] as LlmRequest).at(-1)).toBe("message 4");
    expect(shown(asked[3] as LlmRequest)[0]).toContain("> Summary 1.");
    const runs = await hive.engine.read.select(runTable, { index: "by_started" });
    expect(runs.map(({ reply }) => reply)).toEqual([1, 2, 3, 4, 5].map((n) => `Answer ${n}.`));
  });

  it.each<[string, Keeper]>([
    ["is down", () => Promise.reject(new AgentError("model.auth", "No."))],
    ["answers no JSON", () => "I would rather not."],
    ["answers an empty summary", () => `{"summary": " ", "facts": []}`],
  ])("goes on without its oldest part where the model %s", async (_how, keeper) => {
    const { provider, asked } = model(keeper);
    const hive = await hiveWith({ provider });
    await hive.talk(1, 4);
    expect(await hive.cut()).toMatchObject({ summary: null, summary_until: 0 });
    expect(shown(asked.at(-1) as LlmRequest)).toEqual([
      "[What was said before this is left out: the conversation had grown too long.]",
      "message 3",
      "Answer 3.",
      "message 4",
    ]);
  });

  it.each(["model.rate_limited", "model.overloaded"] as const)(
    "asks again where the model says %s, and goes on without its oldest part where it stays so",
    async (code) => {
      const { provider, summaries } = model(() =>
        Promise.reject(new AgentError(code, "Not now.", { retryable: true })),
      );
      const hive = await hiveWith({ provider });
      await hive.talk(1, 2);
      await hive.say("message 3");
      while ((await hive.state()) !== "compacting.summarizing") await new Promise(setImmediate);
      while ((await hive.state()) !== "idle") {
        hive.clock.advance(1_000);
        await new Promise(setImmediate);
      }
      expect(summaries).toHaveLength(3);
      expect(await hive.cut()).toMatchObject({ summary: null, summary_until: 0 });
      await hive.talk(4, 4);
      expect((await hive.lastRun())?.reply).toBe("Answer 4.");
    },
  );

  it("gives a summary up that takes too long", async () => {
    const { provider } = model(() => new Promise(() => {}));
    const hive = await hiveWith({ provider });
    await hive.talk(1, 2);
    await hive.say("message 3");
    while ((await hive.state()) !== "compacting.summarizing") await new Promise(setImmediate);
    hive.clock.advance(180_000);
    while ((await hive.state()) !== "idle") await new Promise(setImmediate);
    expect(await hive.cut()).toMatchObject({ summary: null });
  });
});

describe("what a model refuses as too long", () => {
  it("is cut at once, and summed up when the run has ended; an earlier summary stays", async () => {
    let most = 1_000_000;
    const kept = model();
    const provider: ModelProvider = {
      ...kept.provider,
      complete: (request, call) =>
        JSON.stringify(request.messages).length > most
          ? Promise.reject(new AgentError("model.context_too_long", "Too long."))
          : kept.provider.complete(request, call),
    };
    const hive = await hiveWith({ provider, historyMessages: 40 });
    await hive.talk(1, 4);
    most = 500;
    await hive.talk(5, 5);
    const first = await hive.cut();
    expect(first?.summary).toMatch(/^Summary/);
    expect(first?.summary_until).toBe(first?.from_position);
    await hive.talk(6, 8);
    expect((await hive.cut())?.summary).toMatch(/^Summary/);
    expect(await hive.state()).toBe("idle");
    const runs = await hive.engine.read.select(runTable, { index: "by_started" });
    expect(runs.every(({ state }) => state === "done")).toBe(true);
  });

  it("fails with what to do where nothing is to be left out, and leaves nothing out", async () => {
    const { provider } = model();
    const context = () => ({ ...usual, strategy: "error" as const, maxTokens: 60 });
    const hive = await hiveWith({ provider, context, historyMessages: 40 });
    await hive.talk(1, 2);
    await hive.say("x".repeat(300));
    await hive.engine.settled();
    expect((await hive.lastRun())?.reply).toMatch(
      /^I could not go on: This conversation has about \d+ tokens, more than 60 \(`sessions.max_context_tokens`\)\. Nothing of it is lost\. Begin another with \/new/,
    );
    expect(await hive.cut()).toBeUndefined();
  });

  it("leaves the oldest out beyond the tokens that a conversation may have", async () => {
    const { provider, summaries } = model();
    const context = () => ({ ...usual, strategy: "truncate_old" as const, maxTokens: 15 });
    const hive = await hiveWith({ provider, context, historyMessages: 40 });
    await hive.talk(1, 2);
    expect(await hive.cut()).toMatchObject({ summary: null });
    expect(summaries).toEqual([]);
  });
});

describe("a person who asks for a summary", () => {
  it("has all but the newest exchange summed up, whatever the strategy", async () => {
    const { provider, asked } = model();
    const context = () => ({ ...usual, strategy: "truncate_old" as const });
    const hive = await hiveWith({ provider, context, historyMessages: 40 });
    await hive.talk(1, 2);
    const compact = { type: "session.compact" };
    await hive.engine.send(`session/${place}`, compact, { origin: "cli" });
    await hive.engine.settled();
    await hive.talk(3, 3);
    expect(shown(asked.at(-1) as LlmRequest).slice(1)).toEqual([
      "message 2",
      "Answer 2.",
      "message 3",
    ]);
  });

  it("finds nothing left out where the model gives no summary", async () => {
    const { provider, asked, summaries } = model(() => "I would rather not.");
    const hive = await hiveWith({ provider, historyMessages: 40 });
    await hive.talk(1, 2);
    const compact = { type: "session.compact" };
    await hive.engine.send(`session/${place}`, compact, { origin: "cli" });
    await hive.engine.settled();
    await hive.talk(3, 3);
    expect(summaries.length).toBeGreaterThan(0);
    expect(shown(asked.at(-1) as LlmRequest)[0]).toBe("message 1");
  });
});

describe("a conversation that is shorter now", () => {
  it("goes on where nothing is left out by itself, once a person had it summed up", async () => {
    const { provider } = model();
    const counted: ModelProvider = {
      ...provider,
      complete: async (request, call) => ({
        ...(await provider.complete(request, call)),
        input_tokens: Math.ceil(JSON.stringify(request.messages).length / 3),
      }),
    };
    const context = () => ({ ...usual, strategy: "error" as const, maxTokens: 250 });
    const hive = await hiveWith({ provider: counted, context, historyMessages: 40 });
    const long = "x".repeat(300);
    for (const text of [long, long, "short"]) {
      await hive.say(text);
      await hive.engine.settled();
    }
    await hive.say("and now?");
    await hive.engine.settled();
    expect((await hive.lastRun())?.state).toBe("failed");
    const compact = { type: "session.compact" };
    await hive.engine.send(`session/${place}`, compact, { origin: "cli" });
    await hive.engine.settled();
    await hive.say("and now?");
    await hive.engine.settled();
    expect((await hive.lastRun())?.state).toBe("done");
  });
});

describe("a conversation of an agent that may remember", () => {
  const policy = {
    allow: ["memory_write"],
    boundary: ["memory.write:own"],
    grant: ["memory.write:own"],
  };
  const daily = "main/local/2026-11-22.md";
  const remembering = async (keeper: Keeper, options: TestHiveOptions = {}) => {
    const { provider, summaries } = model(keeper);
    const context = () => ({ ...usual, episodes: true });
    const hive = await createMemoryHive({
      provider,
      policy,
      context,
      historyMessages: 6,
      ...options,
    });
    const text = async () => {
      const found = await hive.memoryFiles.read(daily);
      return found === undefined ? null : new TextDecoder().decode(found.content ?? undefined);
    };
    return { ...hive, summaries, text };
  };

  it("writes facts to memory before the summary takes their place", async () => {
    const facts = ["Ann was born on May 3rd."];
    const hive = await remembering(() => JSON.stringify({ summary: "They met.", facts }));
    for (const n of [1, 2, 3]) {
      await hive.say(`message ${n}`);
      await hive.engine.settled();
    }
    expect(await hive.text()).toContain("- Ann was born on May 3rd. <!-- 14:02 user:tester -->");
    const changes = await hive.engine.read.select(memoryChangeTable, { index: "by_n" });
    expect(changes).toMatchObject([{ kind: "flush", by: "agent:main", session_id: "s1" }]);
    const [cut] = await hive.engine.read.select(historyCutTable, { index: "key" });
    expect(cut?.summary).toBe("They met.");
  });

  it("leaves a short account when it ends without a word in memory, and the next begins at once", async () => {
    const hive = await remembering(() =>
      JSON.stringify({ entry: "Ann asked about trains.\nTo Bern." }),
    );
    await hive.say("when is the next train?");
    await hive.engine.settled();
    await hive.engine.send(`session/${place}`, { type: "session.cancel" }, { origin: "cli" });
    await hive.say("hello");
    await hive.engine.settled();
    expect(await hive.text()).toContain(
      "- Ann asked about trains.\n  To Bern. <!-- 14:02 user:tester -->",
    );
    const changes = await hive.engine.read.select(memoryChangeTable, { index: "by_n" });
    expect(changes).toMatchObject([{ kind: "episode", session_id: "s1" }]);
  });

  it("tells memory nothing of a conversation in which something was forgotten", async () => {
    const facts = ["The safe word is flabbergast."];
    const hive = await remembering(() => JSON.stringify({ summary: "S.", facts, entry: "E." }));
    await hive.say("the safe word is flabbergast");
    await hive.engine.settled();
    const [run] = await hive.engine.read.select(runTable, { index: "by_started" });
    hive.store.begin();
    forgetTasks(hive.store, { run_ids: [run?.run_id ?? ""], until: run?.seq ?? 0 }, 7);
    await hive.store.commit();
    for (const n of [2, 3]) {
      await hive.say(`message ${n}`);
      await hive.engine.settled();
    }
    await hive.engine.send(`session/${place}`, { type: "session.cancel" }, { origin: "cli" });
    await hive.engine.settled();
    expect(hive.summaries).toHaveLength(1);
    expect(hive.summaries[0]).not.toContain("facts");
    expect(await hive.text()).toBeNull();
  });

  it("leaves nothing where the model finds nothing, or nobody was answered", async () => {
    const hive = await remembering(() => `{"entry": null}`);
    await hive.say("hi");
    await hive.engine.settled();
    await hive.engine.send(`session/${place}`, { type: "session.cancel" }, { origin: "cli" });
    await hive.engine.settled();
    expect(hive.summaries).toHaveLength(1);
    expect(await hive.text()).toBeNull();
  });

  it.each([
    ["is not offered the tool", { ...policy, allow: [] }],
    ["may not write there", { ...policy, boundary: [] }],
    ["is granted no writing", { ...policy, grant: [] }],
    ["has to ask before", { ...policy, risk: { memory_write: "unsafe" as const } }],
  ])("writes nothing by itself where the agent %s", async (_why, changed) => {
    const keeper: Keeper = () => JSON.stringify({ summary: "S.", facts: ["A."], entry: "E." });
    const hive = await remembering(keeper, { policy: changed });
    for (const n of [1, 2, 3]) {
      await hive.say(`message ${n}`);
      await hive.engine.settled();
    }
    await hive.engine.send(`session/${place}`, { type: "session.cancel" }, { origin: "cli" });
    await hive.engine.settled();
    expect(await hive.text()).toBeNull();
    expect(hive.summaries.every((prompt) => !prompt.includes("facts"))).toBe(true);
  });
});

import { afterEach, describe, expect, it } from "vitest";
import { createAnthropicProvider } from "../../src/adapters/model/anthropic.ts";
import { createMemoryStore, type MemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { recordReads } from "../../src/app/api/records.ts";
import { usageReads } from "../../src/app/api/usage.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import type { Notice } from "../../src/engine/engine.ts";
import { createRedactor } from "../../src/policy/redaction.ts";
import {
  historyCutTable,
  modelCallTable,
  usageTotalTable,
} from "../../src/schema/rows/model-rows.ts";
import { stepTable } from "../../src/schema/rows/run-rows.ts";
import {
  apiError,
  type AnthropicServer,
  type RecordedRequest,
  type Reply,
  says,
  startAnthropicServer,
} from "../support/anthropic-server.ts";
import { heldModel } from "../support/held-model.ts";
import { createTestHive, type TestHive, type TestHiveOptions } from "../support/hive.ts";
import { messages, reached, runs, tell } from "./hive-watch.ts";

/** What becomes of a model call: what it cost, what is told of it, and what happens when its provider refuses. */

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

type Script = (request: RecordedRequest, n: number) => Reply;

async function serverOf(script: Script): Promise<AnthropicServer> {
  const server = await startAnthropicServer(script);
  cleanups.push(() => server.close());
  return server;
}

async function hiveAt(server: AnthropicServer, options: TestHiveOptions = {}): Promise<TestHive> {
  const provider = createAnthropicProvider({ id: "a", apiKey: "key", baseUrl: server.url });
  const costOf = (_model: string, { input_tokens }: { input_tokens: number }) => input_tokens;
  const hive = await createTestHive({ provider, costOf, ...options });
  cleanups.push(() => hive.engine.close(0));
  return hive;
}

function noticesOf(hive: TestHive): Notice["notice"][] {
  const heard: Notice["notice"][] = [];
  hive.engine.onNotice(({ notice }) => void heard.push(notice));
  return heard;
}

const calls = (hive: TestHive) => hive.engine.read.select(modelCallTable, { index: "key" });
const total = (hive: TestHive, scope: string) => hive.engine.read.get(usageTotalTable, scope);
const caller = undefined as never;
const shown = (hive: TestHive, id: string) =>
  recordReads(hive.engine.read, async () => [])["runs.show"]({ id }, caller);

const used = (input_tokens: number, output_tokens: number) => ({ input_tokens, output_tokens });
const busy = (retryAfter: string): Reply => ({
  ...apiError(429, "rate_limit_error", "Slow down."),
  headers: { "retry-after": retryAfter },
});

describe("the ledger", () => {
  it("has a row for each answer, and totals of every scope", async () => {
    const server = await serverOf((_, n) => ({ ...says("Hello."), usage: used(10 * n, n) }));
    const hive = await hiveAt(server);
    for (const text of ["hello", "again"]) {
      await hive.say(text);
      await hive.engine.settled();
    }
    const [first, second] = await runs(hive);
    expect(await calls(hive)).toMatchObject([
      { n: 1, run_id: first?.run_id, round: 1, attempt: 1, model: "a/rules", micro_usd: 10 },
      { n: 2, run_id: second?.run_id, outcome: "answered", micro_usd: 20 },
    ]);
    const both = { calls: 2, input_tokens: 30, output_tokens: 3, micro_usd: 30, unpriced_calls: 0 };
    for (const scope of [
      `session/${first?.session_id}`,
      "agent/main",
      "day/1970-01-01",
      "agent/main/day/1970-01-01",
      "model/a/rules",
    ])
      expect(await total(hive, scope)).toMatchObject(both);
    expect(await total(hive, `run/${first?.run_id}`)).toMatchObject({ calls: 1, micro_usd: 10 });
    const days = await usageReads(hive.engine.read, async () => [])["usage.totals"](
      { by: "day", limit: 5 },
      caller,
    );
    expect(days).toMatchObject([{ name: "1970-01-01", calls: 2, cost_usd: 0.00003 }]);
  });

  it("counts what an answer had used that broke off, and each attempt for itself", async () => {
    const server = await serverOf((_, n) =>
      n === 1
        ? {
            ...says("Once upon"),
            usage: used(7, 2),
            error: { afterEvents: 3, type: "overloaded_error", message: "Overloaded" },
          }
        : { ...says("Once upon a time."), usage: used(7, 4) },
    );
    const hive = await hiveAt(server);
    await hive.say("tell");
    await hive.engine.settled();
    hive.clock.advance(1_000);
    await hive.engine.settled();
    expect((await calls(hive)).map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, "broken_off"],
      [2, "answered"],
    ]);
    const [run] = await runs(hive);
    expect(await total(hive, `run/${run?.run_id}`)).toMatchObject({ calls: 2, input_tokens: 14 });
  });

  it("counts an answer that is refused, and one that nobody waits for any more", async () => {
    const twice = { type: "tool_use", id: "c1", name: "file_read", input: {} };
    const server = await serverOf((_, n) =>
      n === 1
        ? { content: [twice, twice], usage: used(5, 5) }
        : { ...says("Too late."), usage: used(9, 1), cut: { afterBytes: 600, how: "hang" } },
    );
    const hive = await hiveAt(server);
    await hive.say("read");
    await hive.engine.settled();
    expect(await runs(hive)).toMatchObject([
      { state: "failed", error: { code: "model.bad_response" } },
    ]);
    expect(await total(hive, "agent/main")).toMatchObject({ calls: 1, input_tokens: 5 });
    const spoke = new Promise((resolve) => hive.engine.onNotice(resolve));
    await hive.say("talk");
    await spoke;
    await tell(hive, "run", "run.cancel");
    await hive.engine.settled();
    expect((await runs(hive)).at(-1)?.state).toBe("cancelled");
    expect((await calls(hive)).at(-1)).toMatchObject({ outcome: "broken_off", input_tokens: 9 });
  });

  it("knows no cost where there is no price, and says so", async () => {
    const server = await serverOf(() => says("Hello."));
    const hive = await hiveAt(server, { costOf: () => null });
    await hive.say("hello");
    await hive.engine.settled();
    const [run] = await runs(hive);
    expect((await shown(hive, run?.run_id ?? "")).usage).toEqual({
      calls: 1,
      input_tokens: 10,
      output_tokens: 5,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
      cost_usd: null,
      unpriced_calls: 1,
    });
  });
});

describe("a conversation that is too long for the model", () => {
  const sizeOf = (request: RecordedRequest) => JSON.stringify(request.messages).length;
  const upTo =
    (most: number, reply: Script): Script =>
    (request, n) =>
      sizeOf(request) <= most
        ? reply(request, n)
        : apiError(
            400,
            "invalid_request_error",
            `prompt is too long: ${sizeOf(request)} tokens > ${most} maximum`,
          );

  it("goes on without its oldest part, from then on, and tells", async () => {
    const server = await serverOf(upTo(3_000, () => says("Yes.")));
    const hive = await hiveAt(server);
    const heard = noticesOf(hive);
    for (const letter of "abcde") {
      await hive.say(letter.repeat(800));
      await hive.engine.settled();
    }
    expect((await runs(hive)).map(({ reply }) => reply)).toEqual(Array(5).fill("Yes."));
    expect(heard.filter(({ type }) => type === "history.shortened").length).toBeGreaterThan(0);
    const refused = server.requests.filter((request) => sizeOf(request) > 3_000).length;
    expect(refused).toBe(heard.filter(({ type }) => type === "history.shortened").length);
    expect(JSON.stringify(server.requests.at(-1)?.messages)).toContain("is left out");
    const asked = server.requests.length;
    await hive.say("short");
    await hive.engine.settled();
    expect(server.requests).toHaveLength(asked + 1);
  });

  it("shows each cut as a step of its run", async () => {
    const server = await serverOf(upTo(1_500, () => says("Yes.")));
    const hive = await hiveAt(server);
    for (const text of ["x".repeat(1_000), "y".repeat(1_000)]) {
      await hive.say(text);
      await hive.engine.settled();
    }
    const { steps } = await shown(hive, (await runs(hive)).at(-1)?.run_id ?? "");
    expect(steps.map(({ action }) => action)).toEqual(["shorten", "respond"]);
  });

  it("drops the oldest rounds of a run too, and keeps its task", async () => {
    const read = (n: number) => ({
      type: "tool_use",
      id: `c${n}`,
      name: "file_read",
      input: { path: "a.txt", offset: n },
    });
    const server = await serverOf(
      upTo(4_000, (_, n) => (n < 9 ? { content: [read(n)] } : says("Read."))),
    );
    const { createMemoryFiles } = await import("../../src/adapters/files/memory-files.ts");
    const text = Array.from({ length: 50 }, () => "x".repeat(20)).join("\n");
    const hive = await hiveAt(server, { files: createMemoryFiles({ "a.txt": text }) });
    await hive.say("read it all");
    await hive.engine.settled();
    expect(await runs(hive)).toMatchObject([{ state: "done", reply: "Read." }]);
    const last = server.requests.at(-1)?.messages ?? [];
    expect(JSON.stringify(last[0])).toContain("read it all");
    expect(JSON.stringify(last)).not.toContain(`"c1"`);
    const cuts = await hive.engine.read.select(historyCutTable, { index: "key" });
    expect(cuts).toMatchObject([{ kept: [expect.any(Number)] }]);
  });

  it("fails with what to do where one message alone is too long, and recovers with the next", async () => {
    const server = await serverOf(upTo(1_000, () => says("Yes.")));
    const hive = await hiveAt(server);
    await hive.say("x".repeat(2_000));
    await hive.engine.settled();
    expect(server.requests).toHaveLength(1);
    expect(await runs(hive)).toMatchObject([
      {
        state: "failed",
        reply: expect.stringMatching(
          /^I could not go on: Even without what was said before, this message is too long for a\/rules \(\d+ tokens; it takes 1000\)\. Send less at once, or put it into a file/,
        ),
        error: { code: "model.context_too_long" },
      },
    ]);
    await hive.say("hello");
    await hive.engine.settled();
    expect((await runs(hive)).at(-1)).toMatchObject({ state: "done", reply: "Yes." });
  });

  it("is asked about once more for each cut only, whatever the provider says", async () => {
    const server = await serverOf(() =>
      apiError(413, "request_too_large", "Request exceeds the maximum size"),
    );
    const hive = await hiveAt(server);
    for (let turn = 0; turn < 4; turn += 1) {
      await hive.say("hello");
      await hive.engine.settled();
    }
    expect((await runs(hive)).map(({ state }) => state)).toEqual(Array(4).fill("failed"));
    expect(server.requests.length).toBeLessThan(12);
    const steps = await hive.engine.read.select(stepTable, { index: "key" });
    expect(steps.filter(({ ended_at }) => ended_at === null)).toEqual([]);
  });
});

describe("a provider that asks to wait", () => {
  it("is waited for across a death of the service, and asked no sooner", async () => {
    const server = await serverOf((_, n) => (n === 1 ? busy("60") : says("Hello.")));
    const store = createMemoryStore({ tables: allTables });
    const first = await hiveAt(server, { store });
    await first.say("hello");
    await first.engine.settled();
    const [run] = await runs(first);
    const waits = {
      attempt: 2,
      next_try_at: new Date(1_060_000).toISOString(),
      code: "model.rate_limited",
    };
    expect((await shown(first, run?.run_id ?? "")).waits).toEqual(waits);
    const { clock } = first;
    clock.advance(20_000);
    const second = await hiveAt(server, { store: afterDeath(store), clock });
    expect((await shown(second, run?.run_id ?? "")).waits).toEqual(waits);
    clock.advance(39_999);
    await second.engine.settled();
    expect(server.requests).toHaveLength(1);
    clock.advance(1);
    await second.engine.settled();
    expect(await runs(second)).toMatchObject([{ state: "done", reply: "Hello." }]);
    expect((await shown(second, run?.run_id ?? "")).waits).toBeNull();
  });

  it("lets go of a run that is cancelled meanwhile", async () => {
    const server = await serverOf(() => busy("60"));
    const hive = await hiveAt(server);
    await hive.say("hello");
    await hive.engine.settled();
    const cancelled = reached(hive, "run", "cancelled");
    await tell(hive, "run", "run.cancel");
    await cancelled;
    hive.clock.advance(120_000);
    await hive.engine.settled();
    expect(server.requests).toHaveLength(1);
    expect((await messages(hive)).map(({ role }) => role)).toEqual(["user"]);
  });

  it.each([
    ["overloaded", apiError(529, "overloaded_error", "Overloaded"), "model.overloaded"],
    ["resetting", { reset: true }, "model.unreachable"],
    [
      "cutting its answer",
      { ...says("Hello there."), cut: { afterBytes: 700, how: "end" as const } },
      "model.bad_response",
    ],
  ])("is asked again when it is %s", async (_why, trouble, code) => {
    const server = await serverOf((_, n) => (n === 1 ? trouble : says("Hello.")));
    const hive = await hiveAt(server);
    const heard = noticesOf(hive);
    await hive.say("hello");
    await hive.engine.settled();
    expect(heard.filter(({ type }) => type === "activity.retrying")).toMatchObject([
      { code, wait_ms: 1_000 },
    ]);
    hive.clock.advance(1_000);
    await hive.engine.settled();
    expect(await runs(hive)).toMatchObject([{ state: "done", reply: "Hello." }]);
  });
});

describe("the attempts of a run beyond the first", () => {
  const retries = async (hive: TestHive) => {
    const [run] = await runs(hive);
    return (await shown(hive, run?.run_id ?? "")).retries;
  };

  it("are none where the provider answers at once", async () => {
    const hive = await hiveAt(await serverOf(() => says("Hello.")));
    await hive.say("hello");
    await hive.engine.settled();
    expect(await retries(hive)).toBe(0);
  });

  it("are counted as they fail, and stay counted when the run has failed with them", async () => {
    const hive = await hiveAt(await serverOf(() => busy("1")));
    await hive.say("hello");
    const counted = [];
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await hive.engine.settled();
      counted.push(await retries(hive));
      hive.clock.advance(60_000);
    }
    expect(counted).toEqual([0, 1, 2, 3]);
    expect(await runs(hive)).toMatchObject([{ state: "failed" }]);
    const days = usageReads(hive.engine.read, async () => [])["usage.totals"];
    expect(await days({ by: "run", limit: 5 }, caller)).toEqual([]);
  });

  it("have the one among them that is under way, and those that a death of the service cost", async () => {
    const held = heldModel();
    const store = createMemoryStore({ tables: allTables });
    const first = await createTestHive({ provider: held.provider, store });
    await first.say("hello");
    await held.next();
    expect(await retries(first)).toBe(0);
    const again = heldModel();
    const rows = store.crash();
    const second = await createTestHive({
      provider: again.provider,
      store: rows,
      clock: first.clock,
    });
    const asked = await again.next();
    expect(await retries(second)).toBe(1);
    asked.says("Hello.");
    await second.engine.settled();
    expect(await retries(second)).toBe(1);
    await second.engine.close(0);
  });
});

/** What is on the disk when the process is gone. */
function afterDeath(store: MemoryStore): MemoryStore {
  return store.crash();
}

describe("a secret that the model says", () => {
  it("is not in what is told while it speaks, wherever its pieces were cut", async () => {
    const secret = "sk-ant-0123456789";
    const server = await serverOf(() => ({
      ...says(`It is ${secret}, you see. sk-ant-`),
      deltas: 13,
    }));
    const hive = await hiveAt(server, { redactor: createRedactor([secret]) });
    const heard = noticesOf(hive);
    await hive.say("what is it?");
    await hive.engine.settled();
    const told = heard.map(({ text }) => text as string);
    expect(told.join("")).toBe("It is [redacted], you see. sk-ant-");
    expect(told.length).toBeGreaterThan(3);
    expect(await runs(hive)).toMatchObject([{ reply: told.join("") }]);
  });
});

import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { createMemoryStore } from "../../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { startRoot } from "../../../src/app/root.ts";
import { AgentError } from "../../../src/schema/errors.ts";
import { wrapStore } from "../../support/wrapped-store.ts";
import type { Listener } from "../../../src/bus/listener.ts";
import { createNewsBus, isSidecarEvent, type News } from "../../../src/app/news/news.ts";
import { attachSidecar } from "../../../src/app/news/sidecar.ts";
import type { JsonObject } from "../../../src/schema/json.ts";
import { type SidecarEvent, sidecarEvent } from "../../../src/schema/shown/news.ts";
import { approvalTable } from "../../../src/schema/rows/permission-rows.ts";
import { createTestHive, type TestHive } from "../../support/hive.ts";

/** A hive whose news are kept, told to a log, counted and watched for alarms, as in a service. */
const observedHive = async (...others: readonly Listener<News>[]) =>
  observedIn(await createTestHive(), ...others);

async function observedIn(hive: TestHive, ...others: readonly Listener<News>[]) {
  const bus = createNewsBus(hive.engine);
  const events: SidecarEvent[] = [];
  const logged: (readonly [level: string, message: string, fields: JsonObject])[] = [];
  const log = (level: string, message: string, fields: JsonObject = {}) =>
    void logged.push([level, message, fields]);
  for (const listener of others) bus.subscribe(listener);
  const clock = createSimulatedClock();
  const sidecar = attachSidecar({ bus, log, clock, level: "info" });
  const hear = (news: News) => void (isSidecarEvent(news) && events.push(news));
  bus.subscribe({ name: "test", capacity: 10_000, hear });
  return { hive, bus, events, logged, sidecar };
}

async function decide(hive: TestHive, decision: "approve" | "deny"): Promise<void> {
  const [approval] = await hive.engine.read.select(approvalTable, {
    index: "by_state",
    equals: ["pending"],
  });
  const event = { type: "approval.decide", decision, scope: "once", by: "tester" };
  await hive.engine.send(approval?.address ?? "", event, { origin: "cli" });
  await hive.engine.settled();
}

/** Says something that needs a decision, and lets it be made. */
async function writeAFile(hive: TestHive): Promise<void> {
  await hive.say('call file_write {"path":"a.txt","content":"secret words"}');
  await hive.engine.settled();
  await decide(hive, "approve");
  await setImmediate();
}

describe("what happens is told", () => {
  it("with the ids of everything that it belongs to, and without what was said or written", async () => {
    const { hive, events } = await observedHive();
    await writeAFile(hive);
    const [accepted] = events;
    const types = events.map(({ type }) => type);
    expect(types).toEqual(["MessageAccepted", "NeedHumanApproval", "ToolExecuted", "ReplyReady"]);
    for (const event of events) {
      expect(sidecarEvent.parse(event)).toEqual(event);
      const { trace_id, run_id, session_id, task_id } = accepted ?? event;
      const place = { channel_type: "local", connector_id: "local", conversation_scope: "cli" };
      const ids = { trace_id, run_id, session_id, task_id, user_scope: "tester", agent_id: "main" };
      expect(event).toMatchObject({ ...place, ...ids });
    }
    expect(JSON.stringify(events)).not.toContain("secret words");
    const seqs = events.map(({ seq }) => seq);
    expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
  });

  it("and a call that was denied was not executed, a message that waits says so", async () => {
    const { hive, events } = await observedHive();
    await hive.say('call file_write {"path":"a.txt","content":"x"}');
    await hive.engine.settled();
    await hive.say("hello");
    await decide(hive, "deny");
    await setImmediate();
    expect(events.map(({ type }) => type)).not.toContain("ToolExecuted");
    const queued = events.filter((event) => event.type === "MessageAccepted");
    expect(queued).toMatchObject([{ queued: false }, { queued: true, run_id: null }]);
  });

  it("to the log, a line each, to the counters and to those who must know", async () => {
    const { hive, logged, sidecar } = await observedHive();
    await writeAFile(hive);
    expect(logged.map(([level, message]) => `${level} ${message}`)).toEqual([
      "info MessageAccepted",
      "warn NeedHumanApproval",
      "info ToolExecuted",
      "info ReplyReady",
    ]);
    for (const [, , fields] of logged) {
      expect(Object.keys(fields)).toEqual(
        expect.arrayContaining(["trace_id", "run_id", "session_id", "agent_id"]),
      );
    }
    expect(sidecar.metrics.show()).toMatchObject({
      events: { MessageAccepted: 1, ReplyReady: 1, TaskFailed: 0, ToolExecuted: 1 },
      tools: [{ tool: "file_write", done: 1, failed: 0, cancelled: 0 }],
      run_duration: { count: 1 },
      tool_duration: { count: 1 },
    });
    expect(sidecar.alerts.list()).toMatchObject([
      { kind: "approval.needed", message: expect.stringContaining("(file_write)") },
    ]);
    expect(sidecar.stream.newest(2, () => true).map(({ type }) => type)).toEqual([
      "ToolExecuted",
      "ReplyReady",
    ]);
  });
});

describe("a chat is the same beside a listener that", () => {
  const throwing = () => {
    throw new Error("boom");
  };
  const never = () => new Promise<void>(() => {});
  const all = { capacity: 10, hear: () => undefined };

  it.each<readonly [string, Listener<News>]>([
    ["throws", { ...all, name: "throws", hear: throwing, lagged: throwing }],
    ["cannot say what it wants", { ...all, name: "cannot choose", wants: throwing }],
    ["never returns", { ...all, name: "never returns", capacity: 1, hear: never }],
    ["rejects", { ...all, name: "rejects", hear: () => Promise.reject(new Error("boom")) }],
  ])("%s", async (_what, listener) => {
    const { hive, events, bus } = await observedHive(listener);
    await writeAFile(hive);
    expect(await hive.lastRun()).toMatchObject({ state: "done" });
    expect(events.at(-1)?.type).toBe("ReplyReady");
    const others = bus.counters().listeners.filter(({ name }) => name !== listener.name);
    for (const { dropped, failed } of others)
      expect({ dropped, failed }).toEqual({ dropped: 0, failed: 0 });
  });

  it("has 10 000 news waiting", async () => {
    const full = { name: "full", capacity: 10_000, hear: never };
    const { hive, events, bus } = await observedHive(full);
    for (let n = 0; n < 10_001; n += 1) bus.publish({ type: "engine.health", degraded: null });
    await setImmediate();
    await writeAFile(hive);
    expect(await hive.lastRun()).toMatchObject({ state: "done" });
    expect(events.at(-1)?.type).toBe("ReplyReady");
    const counted = bus.counters().listeners.find(({ name }) => name === "full");
    expect(counted).toMatchObject({ queued: 10_000, delivered: 0 });
    expect(counted?.dropped).toBeGreaterThan(0);
  });
});

describe("alarms", () => {
  it("tell once of a database that takes no writes, and when it does again", async () => {
    const { bus, logged, sidecar } = await observedHive();
    const degraded = {
      code: "store.unavailable",
      message: "the disk is full",
      retryable: true,
    } as const;
    bus.publish({ type: "engine.health", degraded });
    bus.publish({ type: "engine.health", degraded: null });
    await setImmediate();
    expect(sidecar.alerts.list().map(({ kind }) => kind)).toEqual([
      "engine.healed",
      "engine.degraded",
    ]);
    expect(logged).toMatchObject([
      ["warn", "alert: engine.degraded", { alert: "the disk is full" }],
    ]);
  });

  it.each([
    ["actor.set_aside", "internal", "session/x was set aside: no room"],
    ["crash_loop", "activity.crash_loop", "system: no room"],
  ] as const)("tell of %s, which the engine tells the root", async (kind, code, message) => {
    const refused = new AgentError(code, "no room");
    const rows = createMemoryStore({ tables: allTables });
    const store = wrapStore(rows, {
      put: (table, row) => {
        if (table.name === "sessions") throw refused;
        rows.put(table, row);
      },
    });
    const { hive, logged, sidecar } = await observedIn(await createTestHive({ store }));
    await startRoot(hive.engine);
    const input = { key: "x", agent_id: "main", queue_cap: 1, ttl_ms: 1 };
    const create = { machine: "session", input, supervisor: "system" };
    const said = { type: "message.received", text: "hello" };
    await hive.engine.send("session/x", said, { origin: "cli", create }).catch(() => {});
    await hive.engine.settled();
    await setImmediate();
    expect(sidecar.alerts.list()).toMatchObject([{ kind, message }]);
    expect(logged.map(([level, text]) => `${level} ${text}`)).toContain(`warn alert: ${kind}`);
  });

  it("remember the newest twenty", async () => {
    const { bus, sidecar } = await observedHive();
    for (let n = 0; n < 30; n += 1) bus.publish({ type: "engine.health", degraded: null });
    await setImmediate();
    expect(sidecar.alerts.list()).toHaveLength(20);
  });
});

import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Caller } from "../../src/app/api/caller.ts";
import { inspectHandlers } from "../../src/app/api/inspect.ts";
import { createNewsBus, type News } from "../../src/app/news/news.ts";
import { startRoot } from "../../src/app/root.ts";
import { createRedactor } from "../../src/policy/redaction.ts";
import { type InspectedNews, inspectedNews } from "../../src/schema/shown/inspected.ts";
import { methodResults } from "../../src/schema/socket/results.ts";
import { createTestHive } from "../support/hive.ts";

const session = "session/local:local:cli:tester:main";
const secret = "hunter2-hunter2-hunter2";

/** A client that reads only while `reads` is true. */
function reader() {
  const heard: InspectedNews[] = [];
  const ends = new Set<() => void>();
  let goOn = () => {};
  let blocked: Promise<void> | undefined;
  const caller: Caller = {
    origin: "cli",
    name: "cli",
    introduce: () => {},
    notify: (method, params) => {
      if (method === "actors.inspected") heard.push(inspectedNews.parse(params));
    },
    drained: () => blocked ?? Promise.resolve(),
    onEnd: (call) => {
      ends.add(call);
      return () => void ends.delete(call);
    },
  };
  return {
    caller,
    heard,
    steps: () => heard.flatMap(({ steps }) => steps),
    end: () => ends.forEach((call) => call()),
    stopReading: () => {
      blocked = new Promise((resolve) => {
        goOn = resolve;
      });
    },
    readAgain: () => {
      blocked = undefined;
      goOn();
    },
  };
}

async function inspectedHive() {
  const hive = await createTestHive();
  await startRoot(hive.engine);
  const bus = createNewsBus(hive.engine);
  const redactor = createRedactor([secret]);
  let redactions = 0;
  const redact = <T>(value: T): T => {
    redactions += 1;
    return redactor.json(value);
  };
  const handlers = inspectHandlers({ engine: hive.engine, bus, clock: hive.clock, redact });
  const turn = async () => {
    await hive.engine.settled();
    await setImmediate();
    hive.clock.advance(50);
    await setImmediate();
  };
  const watchers = () => bus.counters().listeners.find(({ name }) => name === "inspect");
  return { hive, bus, handlers, turn, watchers, redactions: () => redactions };
}

describe("inspecting", () => {
  it("begins with all that live, parents first, then tells each step with the snapshot after it", async () => {
    const { hive, handlers, turn } = await inspectedHive();
    await hive.say('call file_write {"path":"a.txt","content":"x"}');
    await hive.engine.settled();
    const { caller, heard, steps } = reader();
    const first = methodResults["actors.inspect"].parse(
      await handlers["actors.inspect"]({ address: "" }, caller),
    );
    expect(first.actors.map(({ name, root, snapshot }) => [name, root, snapshot.value])).toEqual([
      [session, session, "running"],
      ["run/r4", session, "awaiting_approval"],
      ["call/c7-0", session, "awaiting_approval"],
      ["approval/a9", session, "pending"],
      ["system", "system", "running"],
    ]);
    await hive.engine.send(`${session}/run/r4`, { type: "run.cancel" }, { origin: "cli" });
    await turn();
    expect(heard.length).toBe(1);
    const told = steps().map(({ address, source, event, state_before, state_after, snapshot }) => [
      address.split("/").at(-2),
      source?.split("/").at(-2) ?? null,
      event.type,
      `${state_before} -> ${state_after}`,
      snapshot?.status,
    ]);
    expect(told.slice(0, 3)).toEqual([
      ["run", null, "run.cancel", "awaiting_approval -> cancelling", "active"],
      ["call", "run", "call.cancel", "awaiting_approval -> awaiting_approval", "active"],
      ["approval", "call", "approval.cancel", "pending -> cancelled", "done"],
    ]);
  });

  it("names those that are born, with what they were born with", async () => {
    const { hive, handlers, turn } = await inspectedHive();
    const { caller, heard } = reader();
    await handlers["actors.inspect"]({ address: "" }, caller);
    await hive.say("hello");
    await turn();
    const [news] = heard;
    expect(news?.actors.map(({ name, machine }) => [name, machine])).toEqual([
      [session, "session"],
      ["run/r4", "run"],
    ]);
    const said = news?.steps.find(({ event }) => event.type === "message.received");
    expect(said?.event).toMatchObject({ text: "hello" });
  });

  it("tells only of the actor that was asked for and of those below it", async () => {
    const { hive, handlers, turn } = await inspectedHive();
    await hive.say('call ask_user {"question":"Which?"}');
    await hive.engine.settled();
    const { caller, steps } = reader();
    const { actors } = await handlers["actors.inspect"]({ address: `${session}/run/r4` }, caller);
    expect(actors.map(({ name }) => name)).toContain("run/r4");
    expect(actors.every(({ address }) => address.startsWith(`${session}/run/r4`))).toBe(true);
    await hive.engine.send(`${session}/run/r4`, { type: "run.cancel" }, { origin: "cli" });
    await turn();
    expect(steps().length).toBeGreaterThan(0);
    expect(steps().every(({ address }) => address.startsWith(`${session}/run/r4`))).toBe(true);
    const nobody = await handlers["actors.inspect"]({ address: `${session}/run/r` }, caller);
    expect(nobody).toEqual({ actors: [] });
  });

  it("takes a known secret out of contexts and events", async () => {
    const { hive, handlers, turn } = await inspectedHive();
    const { caller, heard } = reader();
    await handlers["actors.inspect"]({ address: "" }, caller);
    await hive.say(`call file_write {"path":"${secret}","content":"x"}`);
    await turn();
    expect(JSON.stringify(heard)).toContain("[redacted]");
    expect(JSON.stringify(heard)).not.toContain(secret);
  });

  it("makes no snapshot while nobody watches, and none after that", async () => {
    const { hive, handlers, turn, watchers, redactions } = await inspectedHive();
    await hive.say("hello");
    await turn();
    expect([redactions(), watchers()]).toEqual([0, undefined]);
    const { caller, heard, end } = reader();
    await handlers["actors.inspect"]({ address: "" }, caller);
    await handlers["actors.inspect.stop"]({}, caller);
    const [made, delivered] = [redactions(), watchers()?.delivered];
    expect(watchers()?.listening).toBe(0);
    await hive.say("hello again");
    await turn();
    await handlers["actors.inspect"]({ address: session }, caller);
    end();
    await hive.say("and again");
    await turn();
    expect(heard).toEqual([]);
    expect(watchers()).toMatchObject({ listening: 0, delivered });
    expect(redactions()).toBe(made + 1);
  });

  it("tells one that reads slowly how many steps are missing, and how things are now", async () => {
    const { hive, bus, handlers, turn, watchers } = await inspectedHive();
    const { caller, heard, steps, stopReading, readAgain } = reader();
    await hive.say("hello");
    await turn();
    await handlers["actors.inspect"]({ address: session }, caller);
    const seen: News[] = [];
    const wants = (news: News) => news.type === "actor.stepped";
    bus.subscribe({ name: "test", capacity: 1, wants, hear: (news) => void seen.push(news) });
    await hive.say("hello");
    stopReading();
    await turn();
    expect(heard.length).toBe(1);
    const told = steps().length;
    const [again] = seen;
    for (let i = 0; i < 1_600; i += 1) if (again !== undefined) bus.publish(again);
    await turn();
    expect(heard.length).toBe(1);
    expect(watchers()?.queued).toBeLessThanOrEqual(1_000);
    readAgain();
    await turn();
    await turn();
    await turn();
    expect(heard.find(({ dropped }) => dropped > 0)?.actors.map(({ name }) => name)).toEqual([
      session,
    ]);
    const dropped = heard.reduce((sum, news) => sum + news.dropped, 0);
    expect(steps().length - told + dropped).toBe(1_600);
  });
});

import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { createNewsBus } from "../../../src/app/news/news.ts";
import { actorTable, journalTable } from "../../../src/engine/tables.ts";
import type { ActorStep } from "../../../src/schema/shown/actor-view.ts";
import { createTestHive, place } from "../../support/hive.ts";
import { subscribing, watchingClient, type WatchingClient } from "../../support/watching-client.ts";

const session = `session/${place}`;

async function world(options: Parameters<typeof createTestHive>[0] = {}) {
  const hive = await createTestHive(options);
  const bus = createNewsBus(hive.engine);
  const subscribe = subscribing(hive, bus);
  const say = async (text: string, to?: string) => {
    await hive.say(text, to);
    await hive.engine.settled();
    await setImmediate();
  };
  /** Lets a pause of the clock go by, and what is told then be heard. */
  const pass = async (ms: number) => {
    hive.clock.advance(ms);
    await setImmediate();
  };
  return { hive, bus, subscribe, say, pass };
}

const stepsOf = ({ deltas }: WatchingClient) => deltas.flatMap(({ steps }) => steps);
const rising = (steps: readonly ActorStep[]) =>
  steps.map(({ seq }) => seq).every((seq, at, all) => at === 0 || seq > (all[at - 1] ?? 0));

describe("watching actors", () => {
  it("answers with those that live, and tells what happens after a quiet time at once and whole", async () => {
    const { subscribe, say, pass, hive } = await world();
    await say("hello");
    const client = watchingClient();
    const { rows, steps } = await subscribe(client);
    expect(rows).toMatchObject([
      { address: session, state: "idle", status: "active", trace: "t1" },
    ]);
    expect(steps).toEqual([]);
    await say("hello again");
    expect(client.deltas).toEqual([]);
    await pass(0);
    expect(client.deltas).toHaveLength(1);
    const journal = await hive.engine.read.select(journalTable, { index: "key" });
    const told = journal.slice(-stepsOf(client).length).map(({ seq }) => seq);
    expect(stepsOf(client).map(({ seq }) => seq)).toEqual(told);
    expect(stepsOf(client)[0]).toMatchObject({ address: session, event: "message.received" });
  });

  it("tells at most 20 times a second, each actor once in its newest state and an ended one with its end", async () => {
    const { subscribe, say, pass } = await world();
    const client = watchingClient();
    await subscribe(client);
    for (let at = 0; at < 100; at += 1) {
      await say(`message ${at}`);
      await pass(10);
    }
    await pass(50);
    expect(client.deltas.length).toBeGreaterThanOrEqual(20);
    expect(client.deltas.length).toBeLessThanOrEqual(21);
    for (const { rows } of client.deltas) {
      const addresses = rows.map(({ address }) => address);
      expect(new Set(addresses).size).toBe(addresses.length);
    }
    expect(rising(stepsOf(client))).toBe(true);
    const runs = client.deltas.flatMap(({ rows }) => rows).filter(({ kind }) => kind === "run");
    const ends = runs.filter(({ status }) => status === "done");
    expect(ends).toHaveLength(100);
    expect(new Set(ends.map(({ address }) => address)).size).toBe(100);
  });

  it("repeats nothing and leaves nothing out between the newest steps that it answers with and what follows", async () => {
    const { subscribe, say, pass, hive } = await world();
    await say("one");
    const client = watchingClient();
    const saying = hive.say("two");
    const answer = await subscribe(client, { recent: 2_000 });
    await saying;
    await hive.engine.settled();
    await setImmediate();
    await pass(50);
    const seqs = [...answer.steps, ...stepsOf(client)].map(({ seq }) => seq);
    const journal = await hive.engine.read.select(journalTable, { index: "key" });
    expect(seqs).toEqual(journal.map(({ seq }) => seq));
  });

  it("answers with the newest steps below a prefix, oldest first", async () => {
    const { subscribe, say } = await world();
    const other = place.replace("tester", "other");
    await say("one");
    await say("two", other);
    await say("three");
    const { steps, rows } = await subscribe(watchingClient(), { prefix: session, recent: 3 });
    expect(steps).toHaveLength(3);
    expect(rising(steps)).toBe(true);
    expect(steps.every(({ address }) => address.startsWith(session))).toBe(true);
    expect(rows.map(({ address }) => address)).toEqual([session]);
    const all = await subscribe(watchingClient(), { recent: 2_000 });
    expect(all.steps.slice(-3)).toEqual(steps);
    const nobody = await subscribe(watchingClient(), { prefix: "nobody", recent: 9 });
    expect(nobody).toEqual({ rows: [], steps: [] });
  });

  it("finds the steps of many actors among those of others", async () => {
    const { subscribe, say } = await world();
    for (let at = 0; at < 60; at += 1) await say("hello", place.replace("tester", `many${at}`));
    for (let at = 0; at < 60; at += 1) await say("hello", place.replace("tester", `other${at}`));
    const prefix = session.replace("tester", "many").replace(/many.*/, "many");
    const { steps } = await subscribe(watchingClient(), { prefix, recent: 5 });
    expect(steps.map(({ address }) => address.startsWith(prefix))).toEqual(Array(5).fill(true));
  });

  it("shows one that was set aside, when it happens and to who comes later", async () => {
    const store = createMemoryStore({ tables: allTables });
    const { subscribe, say, pass } = await world({ store, limits: { cachedActors: 0 } });
    await say("hello");
    store.begin();
    store.patch(actorTable, [session], { version: "0" });
    await store.commit();
    const client = watchingClient();
    await subscribe(client);
    await say("are you there");
    await pass(0);
    const setAside = { address: session, status: "quarantined" };
    expect(client.deltas).toMatchObject([{ rows: [setAside], steps: [{ outcome: "dead" }] }]);
    expect(await subscribe(watchingClient())).toMatchObject({ rows: [setAside] });
  });

  it("begins anew where the client subscribes again, and tells nobody who has left", async () => {
    const { subscribe, say, pass, bus } = await world();
    const client = watchingClient();
    await subscribe(client);
    await subscribe(client, { prefix: "session/nobody" });
    await say("hello");
    await pass(50);
    expect(client.deltas).toEqual([]);
    const left = watchingClient();
    await subscribe(left);
    await say("hello");
    left.leave();
    await pass(50);
    expect(left.deltas).toEqual([]);
    expect(bus.counters().listeners).toMatchObject([{ name: "actors", listening: 1, queued: 0 }]);
  });
});

describe("a client that does not read", () => {
  it("is told what happened meanwhile once it reads, as long as that is not too much", async () => {
    const { subscribe, say, pass, hive } = await world();
    const client = watchingClient();
    await subscribe(client);
    client.pause();
    for (let at = 0; at < 20; at += 1) {
      await say(`message ${at}`);
      await pass(50);
    }
    expect(client.deltas).toHaveLength(1);
    client.resume();
    await setImmediate();
    await pass(50);
    expect(client.deltas).toHaveLength(2);
    const journal = await hive.engine.read.select(journalTable, { index: "key" });
    expect(stepsOf(client).map(({ seq }) => seq)).toEqual(journal.map(({ seq }) => seq));
  });

  it("is told how things are, and how many steps it missed, where that is too much; nothing of it is kept", async () => {
    const { subscribe, say, pass, hive } = await world();
    const client = watchingClient();
    await subscribe(client);
    client.pause();
    for (let at = 0; at < 250; at += 1) {
      await say(`message ${at}`);
      await pass(50);
    }
    expect(client.deltas).toHaveLength(1);
    client.resume();
    await setImmediate();
    await pass(50);
    const [first, second] = client.deltas;
    const journal = await hive.engine.read.select(journalTable, { index: "key" });
    expect(second?.steps).toEqual([]);
    expect(second?.dropped).toBe(journal.length - (first?.steps.length ?? 0));
    expect(second?.dropped).toBeGreaterThan(1_000);
    expect(second?.rows.map(({ address }) => address)).toEqual([session]);
    await say("and on");
    await pass(50);
    expect(client.deltas[2]).toMatchObject({ dropped: 0 });
    expect(client.deltas[2]?.steps[0]).toMatchObject({ event: "message.received" });
  });

  it("is told so too where more happens in one turn than can wait", async () => {
    const { subscribe, pass, bus } = await world();
    const client = watchingClient();
    await subscribe(client);
    const step = { seq: 1, at: 0, address: "session/x", event_type: "run.cancel" } as never;
    for (let n = 0; n < 5_000; n += 1) {
      bus.publish({
        type: "actor.stepped",
        trace_id: "t1",
        address: "session/x",
        step,
        actor: undefined,
      });
    }
    await setImmediate();
    await pass(0);
    expect(client.deltas).toEqual([{ rows: [], steps: [], dropped: 5_000 }]);
  });
});

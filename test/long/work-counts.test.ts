import { expect, it } from "vitest";
import { createMemoryStore, type MemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import type { RowStore } from "../../src/ports/store.ts";
import { textOf } from "../../src/schema/llm.ts";
import { type Message, messageTable } from "../../src/schema/rows/session-rows.ts";
import { providerOf } from "../actors/test-agents.ts";
import { heldModel } from "../support/held-model.ts";
import { createTestHive, place, type TestHive } from "../support/hive.ts";
import { wrapStore } from "../support/wrapped-store.ts";

/** What is there already costs nothing: the same rows are read and written beside few and beside many. */

type Work = { read: number; written: number };

function counting(store: RowStore): { readonly store: RowStore; readonly work: Work } {
  const work: Work = { read: 0, written: 0 };
  const one = <T>(row: T | undefined) => {
    work.read += row === undefined ? 0 : 1;
    return row;
  };
  const many = <T>(rows: T[]) => {
    work.read += rows.length;
    return rows;
  };
  const { committed } = store;
  const counted = wrapStore(store, {
    get: (table, ...key) => one(store.get(table, ...key)),
    select: (table, query) => many(store.select(table, query)),
    distinct: (table, index, first) => many(store.distinct(table, index, first)),
    put: (table, row) => {
      work.written += 1;
      store.put(table, row);
    },
    patch: (table, key, changes) => {
      work.written += 1;
      store.patch(table, key, changes);
    },
    remove: (table, ...key) => {
      work.written += 1;
      store.remove(table, ...key);
    },
    committed: {
      get: async (table, ...key) => one(await committed.get(table, ...key)),
      select: async (table, query) => many(await committed.select(table, query)),
      count: (table, query) => committed.count(table, query),
    },
  });
  return { store: counted, work };
}

type World = { readonly hive: TestHive; readonly rows: MemoryStore; readonly work: Work };

async function world(
  rows = createMemoryStore({ tables: allTables }),
  parts: Partial<Parameters<typeof createTestHive>[0]> = {},
): Promise<World> {
  const { store, work } = counting(rows);
  return { hive: await createTestHive({ ...parts, store, historyMessages: 10 }), rows, work };
}

async function turn({ hive, work }: World): Promise<Work> {
  const before = { ...work };
  await hive.say("hello");
  await hive.engine.settled();
  return { read: work.read - before.read, written: work.written - before.written };
}

/** As if the session had said so much before its first message. */
async function remember({ hive, rows }: World, messages: number, said = "hello"): Promise<void> {
  await hive.say("hello");
  await hive.engine.settled();
  const [first] = rows.select(messageTable, { index: "key", limit: 1 });
  if (first === undefined) throw new Error("nothing was said");
  const content = [{ type: "text" as const, text: said, origin: "user:tester" }];
  rows.begin();
  for (let at = 1; at <= messages; at += 1) {
    const role: Message["role"] = at % 2 === 0 ? "user" : "assistant";
    rows.put(messageTable, {
      ...first,
      role,
      content,
      run_id: "r0",
      position: first.position - at,
    });
  }
  await rows.commit();
}

async function openSessions({ hive }: World, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await hive.say("hello", place.replace("tester", `p${at}`));
  await hive.engine.settled();
}

it("reads and writes as much for a message in a session of 10 messages as in one of 2 000", async () => {
  const [short, long] = [await world(), await world()];
  await remember(short, 10);
  await remember(long, 2_000);
  const expected = await turn(short);
  expect(await turn(long)).toEqual(expected);
  expect(expected.read).toBeLessThan(55);
  expect(expected.written).toBeLessThan(55);
});

it("reads as much for a message in a session of 10 000 summed-up messages as in one of 10", async () => {
  const mostTokens = 30_000;
  const turnsAfter = async (messages: number) => {
    const asked: number[] = [];
    const provider = providerOf(({ system, messages: [first] }) => {
      if (!system.startsWith("You keep the record")) return {};
      asked.push(textOf(first?.content ?? []).length);
      return { content: [{ type: "text", text: `{"summary": "They talked.", "facts": []}` }] };
    });
    const context = () => ({ strategy: "summarize", maxTokens: 100_000, episodes: false }) as const;
    const { hive, rows, work } = await world(undefined, { provider, context });
    await remember({ hive, rows, work }, messages, "said ".repeat(100));
    await hive.say("hello");
    await hive.engine.settled();
    const turns = [];
    for (let n = 0; n < 5; n += 1) turns.push(await turn({ hive, rows, work }));
    return { asked, turns };
  };
  const [short, long] = [await turnsAfter(10), await turnsAfter(10_000)];
  expect(long.turns).toEqual(short.turns);
  expect(long.asked.length).toBeGreaterThan(short.asked.length);
  expect(Math.max(...long.asked)).toBeLessThan(mostTokens * 3 + 2_000);
});

it("reads and writes as much for a message beside 10 other sessions as beside 2 000", async () => {
  const [few, many] = [await world(), await world()];
  await openSessions(few, 10);
  await openSessions(many, 2_000);
  expect(await turn(many)).toEqual(await turn(few));
});

it.each(["follow_up", "steer", "interrupt"] as const)(
  "reads and writes as much for the message whose turn it is before 3 others as before 90 (%s)",
  async (queue) => {
    const turnBefore = async (waiting: number) => {
      const model = heldModel();
      const { hive, work } = await world(undefined, { provider: model.provider });
      await hive.say("one");
      const asked = await model.next();
      for (let at = 0; at < waiting; at += 1) await hive.say("later");
      const before = { ...work };
      await hive.say("mine", place, undefined, queue);
      if (queue !== "interrupt") asked.says("1");
      await model.next();
      return { read: work.read - before.read, written: work.written - before.written };
    };
    expect(await turnBefore(90)).toEqual(await turnBefore(3));
  },
);

it("reads as much when it starts with 2 000 idle sessions as with 10", async () => {
  const started = async (sessions: number) => {
    const before = await world();
    await openSessions(before, sessions);
    await before.hive.engine.close();
    const { work } = await world(before.rows.crash());
    return work.read;
  };
  const few = await started(10);
  expect(await started(2_000)).toBe(few);
  expect(few).toBeLessThan(20);
});

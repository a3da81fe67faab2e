import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { EngineCrash } from "../../src/engine/transaction.ts";
import type { QueueMode } from "../../src/schema/queue.ts";
import { slotTable } from "../../src/schema/rows/run-rows.ts";
import { inboxTable } from "../../src/schema/rows/session-rows.ts";
import { messages, runs } from "../actors/hive-watch.ts";
import { createTestHive, place, type TestHive } from "../support/hive.ts";

/** Messages of every mode that arrive together, with a service that dies before and after every commit. */

type Said = readonly (readonly [string, QueueMode])[];

const uninterrupted: Said = [
  ['call file_list {"path":"."}', "follow_up"],
  ["steered", "steer"],
  ["collected", "collect"],
  ["collected too", "collect"],
  ["last", "follow_up"],
];
const interrupted: Said = [...uninterrupted, ["interrupting", "interrupt"]];

async function playOn(said: Said, crashAt: number) {
  let store = createMemoryStore({ tables: allTables, strict: true });
  let points = 0;
  let hasStarted = false;
  const faultPoint = (label: string) => {
    points += hasStarted ? 1 : 0;
    if (hasStarted && points === crashAt) throw new EngineCrash(label);
  };
  let hive = await createTestHive({ store, faultPoint });
  hasStarted = true;
  const sayAll = () =>
    Promise.allSettled(said.map(([text, queue], at) => hive.say(text, place, `k${at}`, queue)));
  await sayAll();
  await hive.engine.settled();
  if (crashAt > 0 && points >= crashAt) {
    store = store.crash();
    hive = await createTestHive({ store });
    await sayAll();
    await hive.engine.settled();
  }
  return { hive, points };
}

async function expectAllAnswered(hive: TestHive, said: Said): Promise<void> {
  const heard = (await messages(hive))
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) => content)
    .flatMap((block) => (block.type === "text" ? block.text.split("\n\n") : []));
  expect(heard.toSorted()).toEqual(said.map(([text]) => text).toSorted());
  expect((await runs(hive)).filter(({ state }) => state === null)).toEqual([]);
  expect(await hive.engine.read.select(inboxTable, { index: "key" })).toEqual([]);
  expect(await hive.engine.read.select(slotTable, { index: "key" })).toEqual([]);
}

it.each([
  ["and none interrupts", uninterrupted],
  ["and one interrupts", interrupted],
])("gives every message to exactly one run, wherever the service dies (%s)", async (_, said) => {
  const { hive, points } = await playOn(said, 0);
  await expectAllAnswered(hive, said);
  expect(points).toBeGreaterThan(10);
  for (let crashAt = 1; crashAt <= points; crashAt += 1) {
    const crashed = await playOn(said, crashAt);
    await expectAllAnswered(crashed.hive, said);
  }
});

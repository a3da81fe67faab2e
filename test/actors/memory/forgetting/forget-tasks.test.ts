import { expect, it } from "vitest";
import {
  forgetTasks,
  tasksHolding,
} from "../../../../src/actors/memory/forgetting/forget-tasks.ts";
import { createMemoryStore } from "../../../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../../../src/app/hive-engine.ts";
import { type Run, runTable, type Task, taskTable } from "../../../../src/schema/rows/run-rows.ts";

type Said = readonly [text: string, reply?: string | null];

/** What has no reply lives. */
async function storeOf(said: readonly Said[]) {
  const store = createMemoryStore({ tables: allTables });
  const add = async ([text, reply = "Done."]: Said, seq: number) => {
    const state = reply === null ? null : "done";
    store.begin();
    store.put(taskTable, { task_id: `t${seq}`, text } as Task);
    const run = { run_id: `r${seq}`, task_id: `t${seq}`, seq, state, reply, forgotten_at: null };
    store.put(runTable, run as Run);
    await store.commit();
  };
  for (const [index, each] of said.entries()) await add(each, index + 1);
  return { store, add };
}

it("names the tasks whose text or reply says it, and those that still may", async () => {
  const { store } = await storeOf([
    ["Remember that the  SAFE word\nis flabbergast"],
    ["Which bakery is open on Sunday?"],
    ["What was it again?", "You told me: the safe word is flabbergast!"],
    ["What do you think of that?", null],
  ]);
  const said = new Set(["the safe word is flabbergast"]);
  const forgotten = await tasksHolding(store.committed, said);
  expect(forgotten).toEqual({ run_ids: ["r4", "r3", "r1"], until: 4 });
});

it("names a task that is a part of it, but no mere word of it", async () => {
  const { store } = await storeOf([["the safe word of Anna"], ["safe word", "Anna"]]);
  const said = new Set(["the safe word of anna is flabbergast"]);
  expect((await tasksHolding(store.committed, said)).run_ids).toEqual(["r1"]);
});

it("marks what was named and what began since, and names nothing twice", async () => {
  const { store, add } = await storeOf([["the safe word is flabbergast"], ["about the bakery"]]);
  const said = new Set(["flabbergast"]);
  const forgotten = await tasksHolding(store.committed, said);
  await add(["began meanwhile"], 3);
  store.begin();
  forgetTasks(store, forgotten, 7);
  await store.commit();
  const runs = await store.committed.select(runTable, { index: "by_started" });
  expect(runs.map(({ forgotten_at }) => forgotten_at)).toEqual([7, null, 7]);
  expect(await tasksHolding(store.committed, said)).toEqual({ run_ids: [], until: 3 });
});

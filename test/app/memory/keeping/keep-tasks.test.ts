import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../../../src/adapters/engine/memory-store.ts";
import { silentLog } from "../../../../src/adapters/log/json-log.ts";
import { createInMemoryIndex } from "../../../../src/adapters/memory-index/in-memory-index.ts";
import { keepTasks, type TaskLimits } from "../../../../src/app/memory/keeping/keep-tasks.ts";
import { allTables } from "../../../../src/app/hive-engine.ts";
import { createNewsBus, type News, type NewsBus } from "../../../../src/app/news/news.ts";
import type { RowWriter } from "../../../../src/ports/store.ts";
import { noTrust } from "../../../../src/schema/contexts/trust.ts";
import { type Run, runTable, type Task, taskTable } from "../../../../src/schema/rows/run-rows.ts";
import { createTestHive } from "../../../support/hive.ts";

const question = "Which bakery is open on Sunday?";
const tasks = "task:main:local:local:cli:tester";

async function hiveWithTasks() {
  const store = createMemoryStore({ tables: allTables, strict: true });
  const hive = await createTestHive({ store });
  const index = createInMemoryIndex();
  const keeper = keepTasks({ read: hive.engine.read, index, log: silentLog });
  const say = async (text: string) => {
    await hive.say(text);
    await hive.engine.settled();
  };
  const found = (text: string) =>
    index.search({ text, partitions: [tasks], kinds: ["task"], limit: 5 });
  return { hive, store, index, keeper, say, found };
}

/** Rows of runs that have ended, and their news in the order in which they did. */
async function endedRuns(limits: TaskLimits) {
  const store = createMemoryStore({ tables: allTables, strict: true });
  const index = createInMemoryIndex();
  const keeper = keepTasks({ read: store.committed, index, log: silentLog, limits });
  const heard: ((news: News) => void)[] = [];
  const subscribe = ({ hear }: { hear: (news: News) => void }) => void heard.push(hear);
  keeper.follow({ subscribe } as unknown as NewsBus);
  const ends = async (...seqs: readonly number[]) => {
    store.begin();
    for (const seq of seqs) putEnded(store, seq);
    await store.commit();
    for (const seq of seqs)
      for (const hear of heard) hear({ type: "ReplyReady", run_id: `r${seq}` } as News);
    await new Promise(setImmediate);
  };
  const found = async () => (await index.documents()).map(({ path }) => path).toSorted();
  return { store, ends, found };
}

function putEnded(store: RowWriter, seq: number): void {
  const text = `Which bakery is open on day ${seq}?`;
  store.put(taskTable, { task_id: `t${seq}`, text } as Task);
  const address = `session/local:local:cli:tester:main/run/r${seq}`;
  const run = { run_id: `r${seq}`, task_id: `t${seq}`, seq, address, state: "done", ended_at: seq };
  store.put(runTable, { ...run, reply: "", trust: noTrust, forgotten_at: null } as Run);
}

describe("past tasks", () => {
  it("beyond the newest go while the service runs, in whatever order they end", async () => {
    const { ends, found } = await endedRuns({ most: 3, beyond: 2 });
    await ends(2, 3, 4, 5);
    expect(await found()).toEqual(["task/t3", "task/t4", "task/t5"]);
    await ends(6);
    expect(await found()).toHaveLength(4);
    await ends(1);
    expect(await found()).toEqual(["task/t4", "task/t5", "task/t6"]);
  });

  it("that were forgotten make no room for older ones", async () => {
    const { store, ends, found } = await endedRuns({ most: 3, beyond: 2 });
    await ends(1, 2, 3, 4);
    store.begin();
    store.patch(runTable, ["r4"], { forgotten_at: 9 });
    await store.commit();
    await ends(5, 6);
    expect(await found()).toEqual(["task/t5", "task/t6"]);
  });

  it("are found once their run has ended, with their outcome", async () => {
    const { hive, keeper, say, found } = await hiveWithTasks();
    const stop = keeper.follow(createNewsBus(hive.engine));
    await say(question);
    await new Promise(setImmediate);
    await keeper.close();
    stop();
    expect(await found("bakery sunday")).toMatchObject([
      {
        path: "task/t2",
        heading: "1970-01-01 > done",
        text: expect.stringMatching(
          /^Asked: Which bakery is open on Sunday\?\nAnswered: /,
        ) as string,
        origins: ["user:tester"],
      },
    ]);
  });

  it("are taken from the rows again when the index is new, and once", async () => {
    const { keeper, index, say, found } = await hiveWithTasks();
    await say(question);
    await say("hello");
    expect(await found("bakery")).toEqual([]);
    await keeper.scan();
    await keeper.scan();
    expect(await index.documents()).toMatchObject([{ path: "task/t2", kind: "task" }]);
    await index.clear();
    await keeper.scan();
    expect(await found("bakery")).toHaveLength(1);
  });

  it("go where their rows are gone", async () => {
    const { keeper, index } = await hiveWithTasks();
    await index.put({ path: "task/t9", partition: tasks, kind: "task", version: "1", chunks: [] });
    await index.put({
      path: "a/b/x.md",
      partition: "a/b",
      kind: "memory",
      version: "1",
      chunks: [],
    });
    await keeper.scan();
    expect((await index.documents()).map(({ path }) => path)).toEqual(["a/b/x.md"]);
  });

  it("whose run noted nothing of what it knew may be anybody's text", async () => {
    const { hive, store, keeper, say, found } = await hiveWithTasks();
    await say(question);
    const { run_id = "" } = (await hive.lastRun()) as { run_id?: string };
    store.begin();
    store.patch(runTable, [run_id], { trust: null });
    await store.commit();
    await keeper.scan();
    expect((await found("bakery"))[0]?.origins).toEqual(["user:tester", `run:${run_id}`]);
  });
});

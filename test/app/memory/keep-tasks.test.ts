import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../../src/adapters/engine/memory-store.ts";
import { silentLog } from "../../../src/adapters/log/json-log.ts";
import { createInMemoryIndex } from "../../../src/adapters/memory-index/in-memory-index.ts";
import { keepTasks } from "../../../src/app/memory/keep-tasks.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { createNewsBus } from "../../../src/app/news/news.ts";
import { runTable } from "../../../src/schema/run-rows.ts";
import { createTestHive } from "../../support/hive.ts";

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

describe("past tasks", () => {
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

import { describe, expect, it } from "vitest";
import { earlierConversations } from "../../../src/actors/earlier-conversations.ts";
import { sessionAddress } from "../../../src/actors/session-key.ts";
import { createMemoryStore } from "../../../src/adapters/engine/memory-store.ts";
import { silentLog } from "../../../src/adapters/log/json-log.ts";
import { createInMemoryIndex } from "../../../src/adapters/memory-index/in-memory-index.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { keepTasks } from "../../../src/app/memory/keeping/keep-tasks.ts";
import { journalTable } from "../../../src/engine/tables.ts";
import { runTable } from "../../../src/schema/rows/run-rows.ts";
import { fork } from "../../support/forks.ts";
import { createTestHive, place } from "../../support/hive.ts";
import { runsOf } from "../../support/replays.ts";

/** A conversation whose first run said what is forgotten then, forked from its second one. */
async function forked({ isForgotten }: { readonly isForgotten: boolean }) {
  const store = createMemoryStore({ tables: allTables, strict: true });
  const hive = await createTestHive({ store });
  const { engine } = hive;
  for (const text of ["The safe word is flabbergast", "And which word is it, please?"]) {
    await hive.say(text);
    await engine.settled();
  }
  const [first, second] = await runsOf(engine.read);
  if (first === undefined || second === undefined) throw new Error("nothing ran");
  if (isForgotten) {
    store.begin();
    store.patch(runTable, [first.run_id], { forgotten_at: 7 });
    await store.commit();
  }
  const ofRun = { index: "by_address", equals: [second.address] };
  const at = (await engine.read.select(journalTable, ofRun)).at(-1)?.seq ?? 0;
  const { run_id } = await fork(hive, second.run_id, { at, text: "Say that word once more" });
  await engine.settled();
  return { hive, second, run: await engine.read.get(runTable, run_id) };
}

type Forked = Awaited<ReturnType<typeof forked>>;

async function tasksFound({ hive: { engine } }: Forked): Promise<string[]> {
  const index = createInMemoryIndex();
  await keepTasks({ read: engine.read, index, log: silentLog }).scan();
  return (await index.documents()).map(({ path }) => path).toSorted();
}

async function saidWith(word: string, { hive: { engine } }: Forked): Promise<number> {
  const run = { agent_id: "main", session_address: sessionAddress(place), run_id: "" };
  let found = 0;
  const see = ({ text }: { readonly text: string }) => {
    if (text.includes(word)) found += 1;
    return true;
  };
  await earlierConversations(engine.read, run).lookBack(see, new AbortController().signal);
  return found;
}

describe("a fork of a conversation of which something was forgotten", () => {
  it("is no past task that is found, and nothing of what it carries is found in it", async () => {
    const made = await forked({ isForgotten: true });
    expect(made.run).toMatchObject({ state: "done", forgotten_at: 7 });
    expect(await tasksFound(made)).toEqual([`task/${made.second.task_id}`]);
    expect(await saidWith("flabbergast", made)).toBe(0);
    expect(await saidWith("which word", made)).toBeGreaterThan(0);
  });

  it("is found as any other where nothing was", async () => {
    const made = await forked({ isForgotten: false });
    expect(made.run).toMatchObject({ state: "done", forgotten_at: null });
    expect(await tasksFound(made)).toHaveLength(3);
    expect(await saidWith("flabbergast", made)).toBeGreaterThan(1);
  });
});

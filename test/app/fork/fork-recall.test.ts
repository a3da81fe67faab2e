import { describe, expect, it } from "vitest";
import { createFakeMemories } from "../../../src/adapters/memory/fake-memory.ts";
import { storedContext } from "../../../src/engine/kernel/actor-state.ts";
import { actorTable, journalTable } from "../../../src/engine/tables.ts";
import { recallTable } from "../../../src/schema/rows/memory-rows.ts";
import { fork } from "../../support/forks.ts";
import { createTestHive } from "../../support/hive.ts";
import { partsOf } from "../../support/remembering.ts";
import { runsOf } from "../../support/replays.ts";

const origins = ["web:page.example"];

async function reminded() {
  const memories = createFakeMemories([{ text: "The bakery opens on Sunday.", origins }]);
  const hive = await createTestHive({ memory: partsOf(memories) });
  await hive.say("When does the bakery open?");
  await hive.engine.settled();
  const { read } = hive.engine;
  const [run] = await runsOf(read);
  if (run === undefined) throw new Error("nothing ran");
  const steps = await read.select(journalTable, { index: "by_address", equals: [run.address] });
  memories.pieces.length = 0;
  const forkAt = async (at: number) => {
    const forked = await fork(hive, run.run_id, { at, text: "And the bakery next door?" });
    await hive.engine.settled();
    const session = await read.get(actorTable, forked.address);
    const trust = storedContext(session?.snapshot ?? null)["trust"];
    return { trust, recall: await read.get(recallTable, forked.run_id) };
  };
  return { forkAt, first: steps[0]?.seq ?? 0, last: steps.at(-1)?.seq ?? 0 };
}

describe("a fork of a run that was reminded of something", () => {
  it("is reminded of the same, and holds what that brought", async () => {
    const { forkAt, last } = await reminded();
    const { trust, recall } = await forkAt(last);
    expect(recall?.hits).toMatchObject([{ text: "The bakery opens on Sunday.", origins }]);
    expect(trust).toEqual({ private: ["memory:main/local"], untrusted: origins });
  });

  it("from before its model had answered asks memory itself", async () => {
    const { forkAt, first } = await reminded();
    const { trust, recall } = await forkAt(first);
    expect(recall?.hits).toEqual([]);
    expect(trust).toEqual({ private: [], untrusted: [] });
  });
});

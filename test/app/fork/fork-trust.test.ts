import { describe, expect, it } from "vitest";
import { isWithin } from "../../../src/app/replay/recorded-run.ts";
import { storedContext } from "../../../src/engine/kernel/actor-state.ts";
import { actorTable, type JournalRow, journalTable } from "../../../src/engine/tables.ts";
import { noTrust, type Trust } from "../../../src/schema/contexts/trust.ts";
import { approvalTable } from "../../../src/schema/rows/permission-rows.ts";
import { fork } from "../../support/forks.ts";
import { runsOf } from "../../support/replays.ts";
import { foreignWorld, toNotes, toPage, type World } from "../../security/foreign-world.ts";

/** A fork knows what the run knew by then: it cannot be used to forget where a text came from. */

async function trustOf({ hive }: World, address: string): Promise<Trust> {
  const row = await hive.engine.read.get(actorTable, address);
  return storedContext(row?.snapshot ?? null)["trust"] as Trust;
}

/** A run that reads a page of a stranger, and then the owner's notes. */
async function tainted() {
  const world = await foreignWorld(`Read this. ${toNotes}`);
  await world.tell(toPage);
  const { read } = world.hive.engine;
  const [run] = await runsOf(read);
  if (run === undefined) throw new Error("nothing ran");
  const rows = await read.select(journalTable, { index: "by_address", equals: [run.address] });
  const calls = (await read.select(journalTable, { index: "key" })).filter(
    ({ event_type }) => event_type === "xstate.done.actor.executeTool",
  );
  return { world, run, rows, calls };
}

const forkAt = async (world: World, id: string, at: number) =>
  trustOf(world, (await fork(world.hive, id, { at, text: "hm" })).address);

describe("a fork", () => {
  it("knows nothing where its run knew nothing yet", async () => {
    const { world, run, rows } = await tainted();
    expect(await forkAt(world, run.run_id, rows[0]?.seq ?? 0)).toEqual(noTrust);
  });

  it("knows what a result brought from the very step that wrote it", async () => {
    const { world, run, calls } = await tainted();
    const [page, notes] = calls.map(({ seq }) => seq) as [number, number];
    expect(await forkAt(world, run.run_id, page - 1)).toEqual(noTrust);
    const stranger = { private: [], untrusted: ["web:page.example"] };
    expect(await forkAt(world, run.run_id, page)).toEqual(stranger);
    expect(await forkAt(world, run.run_id, notes - 1)).toEqual(stranger);
    expect(await forkAt(world, run.run_id, notes)).toEqual({
      private: ["file:notes.md"],
      untrusted: ["web:page.example"],
    });
  });

  it("never knows less than its run did, after any step", async () => {
    const { world, run } = await tainted();
    const { read } = world.hive.engine;
    const known: Trust = await trustOf(world, run.address);
    const steps = (await read.select(journalTable, { index: "key" })).filter((row: JournalRow) =>
      isWithin(run.address, row.address),
    );
    const heard = steps.filter(
      ({ event }) => event["brings"] !== undefined && event.type === "call.changed",
    );
    const last = heard.at(-1)?.seq ?? 0;
    for (const { seq } of steps.filter((step) => step.seq >= last))
      expect(await forkAt(world, run.run_id, seq)).toEqual(known);
  });

  it("of a tainted run is marked, and is asked where its run would have been", async () => {
    const { world, run, calls } = await tainted();
    const at = calls.at(-1)?.seq ?? 0;
    const text = 'CALL web_fetch {"url":"https://other.example/"}';
    const before = world.asked.length;
    await fork(world.hive, run.run_id, { at, text });
    await world.hive.engine.settled();
    expect(await world.tags("session")).toEqual(["busy", "tainted"]);
    expect(world.asked).toHaveLength(before);
    const pending = { index: "by_state", equals: ["pending"] };
    const [approval] = await world.hive.engine.read.select(approvalTable, pending);
    expect(approval?.reason).toContain("web:page.example");
  });

  it("of a run that began before origins were noted may know anything", async () => {
    const { world, run } = await tainted();
    const { store } = world.hive;
    const event = { type: "actor.created", input: { run_id: run.run_id } };
    store.begin();
    store.patch(journalTable, [run.seq], { event });
    await store.commit();
    expect(await forkAt(world, run.run_id, run.seq)).toEqual({
      private: ["session:earlier"],
      untrusted: ["session:earlier"],
    });
  });

  it("whose run has not heard yet what a result brought takes it for a stranger's", async () => {
    const { world, run, calls } = await tainted();
    const { store, engine } = world.hive;
    const rows = await engine.read.select(journalTable, { index: "key" });
    const at = calls.at(0)?.seq ?? 0;
    store.begin();
    for (const { seq, cause, event_type } of rows)
      if (event_type === "call.changed" && cause === at) store.remove(journalTable, seq);
    await store.commit();
    expect(await forkAt(world, run.run_id, at)).toEqual({
      private: [`run:${run.run_id}`],
      untrusted: [`run:${run.run_id}`],
    });
  });
});

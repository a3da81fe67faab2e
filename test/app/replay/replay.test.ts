import { describe, expect, it } from "vitest";
import { machineEntries } from "../../../src/actors/machine-entries.ts";
import { createMemoryStore } from "../../../src/adapters/engine/memory-store.ts";
import { createMemoryFiles } from "../../../src/adapters/files/memory-files.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { actorTable, type JournalRow, journalTable } from "../../../src/engine/tables.ts";
import type { CommittedReader, RowStore } from "../../../src/ports/store.ts";
import { approvalTable } from "../../../src/schema/rows/permission-rows.ts";
import { countRows } from "../../support/counting-store.ts";
import { createTestHive, type TestHive } from "../../support/hive.ts";
import { journalViews, lineOf, notTheSame, runsOf } from "../../support/replays.ts";

async function decide(hive: TestHive, decision: "approve" | "deny"): Promise<void> {
  const pending = { index: "by_state", equals: ["pending"] };
  for (const { address } of await hive.engine.read.select(approvalTable, pending)) {
    const word = { type: "approval.decide", decision, scope: "once", by: "tester" };
    await hive.engine.send(address, word, { origin: "cli" });
  }
  await hive.engine.settled();
}

/** A run that reads one file, is asked about another, is told no, and answers. */
async function deniedRun(store: RowStore = createMemoryStore({ tables: allTables })) {
  const files = createMemoryFiles({ "in.txt": "input\n" });
  const hive = await createTestHive({ files, store });
  await hive.say(
    'call file_read {"path":"in.txt"}\ncall file_write {"path":"out.txt","content":"x"}',
  );
  await hive.engine.settled();
  await decide(hive, "deny");
  const [run] = await runsOf(hive.engine.read);
  if (run === undefined) throw new Error("nothing ran");
  return { hive, run, id: run.run_id };
}

async function change(store: RowStore, seq: number, changes: Partial<JournalRow>): Promise<void> {
  store.begin();
  store.patch(journalTable, [seq], changes);
  await store.commit();
}

describe("the steps of a run", () => {
  it("are told in their order, with what came with them, and run again they are the same", async () => {
    const { hive, id } = await deniedRun();
    const { frames, next, is_pruned, state } = await journalViews(hive.engine.read).page(id);
    expect({ next, is_pruned, state }).toEqual({ next: null, is_pruned: false, state: "done" });
    expect(frames.map(lineOf)).toEqual([
      "3 r2 actor.created null -> idle",
      "4 r2 slot.granted idle -> thinking",
      "5 r2 xstate.done.actor.callModel thinking -> awaiting_tool",
      "6 c5-0 actor.created null -> checking",
      "7 c5-0 verdict.given checking -> executing",
      "8 c5-1 actor.created null -> checking",
      "9 c5-1 verdict.given checking -> awaiting_approval",
      "10 a9 actor.created null -> pending",
      "11 r2 call.changed awaiting_tool -> awaiting_tool",
      "12 c5-0 xstate.done.actor.executeTool executing -> done",
      "13 r2 call.changed awaiting_tool -> awaiting_approval",
      "14 a9 approval.decide pending -> denied",
      "15 c5-1 approval.decided awaiting_approval -> denied",
      "16 r2 call.changed awaiting_approval -> thinking",
      "17 r2 xstate.done.actor.callModel thinking -> done",
    ]);
    expect(notTheSame(frames)).toEqual([]);
    expect(frames.flatMap(({ what }) => what ?? [])).toMatchObject([
      { kind: "message", title: "user", text: expect.stringContaining("call file_read") },
      { kind: "answer", title: "offline/rules", text: expect.stringContaining("file_write {") },
      { kind: "call", title: "file_read", text: '{"path":"in.txt"}' },
      { kind: "verdict", title: "run" },
      { kind: "call", title: "file_write" },
      { kind: "verdict", title: "ask" },
      { kind: "result", title: "file_read", text: expect.stringContaining("input") },
      { kind: "decision", title: "tester", text: "deny for once" },
      { kind: "decision", title: "tester" },
      { kind: "answer", title: "offline/rules" },
    ]);
  });

  it("come in pages of any length, and each page goes on where the last one ended", async () => {
    const { hive, id } = await deniedRun();
    const whole = await journalViews(hive.engine.read).page(id);
    for (const limit of [1, 4, 15]) {
      const views = journalViews(hive.engine.read);
      const frames = [];
      for (let after: number | null = 0; after !== null;) {
        const page = await views.page(id, after, limit);
        expect(page.frames.length).toBeLessThanOrEqual(limit);
        frames.push(...page.frames);
        after = page.next;
      }
      expect(frames).toEqual(whole.frames);
    }
  });

  it("cost the next page no step of those before it", async () => {
    const { hive, id } = await deniedRun();
    const { read, rows } = countingReader(hive.engine.read);
    const views = journalViews(read);
    const { next } = await views.page(id, 0, 10);
    const before = rows();
    await views.page(id, next ?? 0, 10);
    expect(rows() - before).toBeLessThanOrEqual(10);
  });

  it("that come while it goes on are told behind the last one that was seen", async () => {
    const hive = await createTestHive();
    await hive.say('call file_write {"path":"out.txt","content":"x"}');
    await hive.engine.settled();
    const [run] = await runsOf(hive.engine.read);
    const views = journalViews(hive.engine.read);
    const first = await views.page(run?.run_id ?? "");
    const seen = first.frames.at(-1)?.seq ?? 0;
    expect(await views.page(run?.run_id ?? "", seen)).toMatchObject({ frames: [], next: null });
    await decide(hive, "approve");
    const { frames } = await views.page(run?.run_id ?? "", seen);
    expect(frames[0]).toMatchObject({ event: "approval.decide", replayed: "same" });
    expect(notTheSame(frames)).toEqual([]);
  });

  it("are not told of other runs", async () => {
    const { hive, id } = await deniedRun();
    await hive.say("hello");
    await hive.engine.settled();
    const { frames } = await journalViews(hive.engine.read).page(id);
    expect(frames.at(-1)?.seq).toBe(17);
  });

  it("write nothing, and neither does a look at one of them", async () => {
    const { store, counts, reset } = countRows(createMemoryStore({ tables: allTables }));
    const { hive, id } = await deniedRun(store);
    reset();
    const views = journalViews(hive.engine.read);
    const { frames } = await views.page(id);
    for (const { seq } of frames) await views.moment(id, seq);
    expect(counts()).toEqual({});
  });
});

describe("a step that the chart would not take so", () => {
  it("is different, with what was expected and what was found; what follows of its actor is unknown", async () => {
    const { hive, run, id } = await deniedRun();
    await change(hive.store, 13, { state_after: "thinking" });
    const { frames } = await journalViews(hive.engine.read).page(id);
    const [first, ...later] = notTheSame(frames);
    expect(first).toMatchObject({
      seq: 13,
      replayed: "different",
      difference: { what: "state", expected: "awaiting_approval", found: "thinking" },
    });
    expect(later.map(({ seq, why }) => [seq, why])).toEqual([
      [16, "it went another way at 13"],
      [17, "it went another way at 13"],
    ]);
    expect(later.every(({ address }) => address === run.address)).toBe(true);
  });

  it("is different where its actor was told something else than was sent", async () => {
    const { hive, id } = await deniedRun();
    const { frames } = await journalViews(hive.engine.read).page(id);
    const forged = { type: "call.changed", call_id: "offline_1", state: "finished" };
    expect(frames[10]).toMatchObject({ seq: 13, event: "call.changed" });
    await change(hive.store, 13, { event: forged });
    const again = await journalViews(hive.engine.read).page(id);
    expect(notTheSame(again.frames)[0]).toMatchObject({
      seq: 13,
      replayed: "different",
      difference: {
        what: "what step 12 sent",
        expected: expect.stringContaining('"brings"'),
        found: JSON.stringify(forged),
      },
    });
  });

  it("is different where the result that it is about is another", async () => {
    const { hive, id } = await deniedRun();
    const [row] = await hive.engine.read.select(journalTable, { index: "key", from: 5, upTo: 5 });
    const text = JSON.stringify(row?.event).replaceAll("in.txt", "other.txt");
    await change(hive.store, 5, { event: JSON.parse(text) });
    const { frames } = await journalViews(hive.engine.read).page(id);
    expect(notTheSame(frames)[0]).toMatchObject({
      seq: 6,
      difference: { what: "what step 5 sent", found: expect.stringContaining("in.txt") },
    });
  });

  it("throws nothing, whatever stands in the journal", async () => {
    const { hive, id } = await deniedRun();
    for (const seq of [3, 5, 7, 12]) await change(hive.store, seq, { event: { type: "x" } });
    await change(hive.store, 14, { event: { type: "approval.decide", by: { a: 1 } } });
    const { frames } = await journalViews(hive.engine.read).page(id);
    expect(frames).toHaveLength(15);
    expect(frames[0]).toMatchObject({ replayed: "different", what: { text: "" } });
  });
});

describe("what is not known", () => {
  const newer = machineEntries.map((entry) =>
    entry.machine.id === "run"
      ? { ...entry, machine: Object.assign(Object.create(entry.machine), { version: "99" }) }
      : entry,
  );

  it("is what another version of the chart recorded", async () => {
    const { hive, id } = await deniedRun();
    const { frames } = await journalViews(hive.engine.read, newer).page(id);
    const whys = new Set(notTheSame(frames).map(({ why }) => why));
    expect(whys).toEqual(new Set(["recorded by version 3 of run, and today's is 99"]));
    expect(notTheSame(frames).every(({ machine }) => machine === "run")).toBe(true);
  });

  it("is a difference where nobody knows any more which version recorded it", async () => {
    const { hive, run, id } = await deniedRun();
    await change(hive.store, 13, { state_after: "thinking" });
    hive.store.begin();
    hive.store.remove(actorTable, run.address);
    await hive.store.commit();
    const { frames } = await journalViews(hive.engine.read).page(id);
    expect(notTheSame(frames)[0]).toMatchObject({
      seq: 13,
      replayed: "unknown",
      why: "version 3 of run does something else; which one recorded it is not known any more",
    });
  });

  it("is what follows a beginning that the journal does not keep any more", async () => {
    const { hive, id } = await deniedRun();
    const keep = { journalBefore: Infinity, endedActorsBefore: 0, idempotencyBefore: 0 };
    hive.store.begin();
    for (const seq of [1, 2, 3, 4, 5, 6]) hive.store.remove(journalTable, seq);
    await hive.store.commit();
    const { is_pruned, frames } = await journalViews(hive.engine.read).page(id);
    expect(is_pruned).toBe(true);
    expect(frames[0]).toMatchObject({
      seq: 7,
      replayed: "unknown",
      why: "its beginning is not in the journal any more",
    });
    const same = frames.filter(({ replayed }) => replayed === "same");
    expect(same.map(({ seq }) => seq)).toEqual([8, 9, 10, 14, 15]);
    await hive.engine.prune(keep);
    expect(await journalViews(hive.engine.read).page(id)).toMatchObject({
      is_pruned: true,
      frames: [],
      next: null,
    });
  });

  it("is which run is meant by a name that none has", async () => {
    const { hive } = await deniedRun();
    const views = journalViews(hive.engine.read);
    await expect(views.page("r99")).rejects.toMatchObject({ code: "actor.not_found" });
    await expect(views.moment("r99", 1)).rejects.toMatchObject({ code: "actor.not_found" });
  });
});

function countingReader(read: CommittedReader) {
  let rows = 0;
  const counting: CommittedReader = {
    get: (table, ...key) => read.get(table, ...key),
    select: async (table, query) => {
      const found = await read.select(table, query);
      rows += table.name === "journal" ? found.length : 0;
      return found;
    },
    count: (table, query) => read.count(table, query),
  };
  return { read: counting, rows: () => rows };
}

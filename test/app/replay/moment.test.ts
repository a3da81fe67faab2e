import { describe, expect, it } from "vitest";
import { createMemoryFiles } from "../../../src/adapters/files/memory-files.ts";
import { journalTable } from "../../../src/engine/tables.ts";
import type { ModelProvider } from "../../../src/ports/model.ts";
import { actorTable } from "../../../src/engine/tables.ts";
import { createTestHive } from "../../support/hive.ts";
import { journalViews, runsOf } from "../../support/replays.ts";

async function twoCalls() {
  const files = createMemoryFiles({ "in.txt": "input\n" });
  const hive = await createTestHive({ files });
  await hive.say(
    'call file_read {"path":"in.txt"}\ncall file_write {"path":"out.txt","content":"x"}',
  );
  await hive.engine.settled();
  const [run] = await runsOf(hive.engine.read);
  const id = run?.run_id ?? "";
  return { hive, id, moment: (seq: number) => journalViews(hive.engine.read).moment(id, seq) };
}

describe("a run after one of its steps", () => {
  it("has the actors that lived then, as they were, and those that had ended", async () => {
    const { moment } = await twoCalls();
    const short = async (seq: number) =>
      (await moment(seq)).actors.map(
        ({ address, state, status }) => `${address.split("/").at(-1)} ${state} ${status}`,
      );
    expect(await short(4)).toEqual(["r2 thinking active"]);
    expect(await short(10)).toEqual([
      "r2 awaiting_tool active",
      "c5-0 executing active",
      "c5-1 awaiting_approval active",
      "a9 pending active",
    ]);
    expect(await short(12)).toContain("c5-0 done done");
  });

  it("has the event whole, what its actor knew, and what was said until then", async () => {
    const { moment } = await twoCalls();
    const { event, context, value, messages, has_earlier_messages, is_cut, frame } =
      await moment(5);
    expect(frame).toMatchObject({ seq: 5, replayed: "same" });
    expect(event).toMatchObject({
      type: "xstate.done.actor.callModel",
      output: { model: "offline/rules", content: [{ name: "file_read" }, { name: "file_write" }] },
    });
    expect({ value, calls: context?.["calls"] }).toEqual({
      value: "awaiting_tool",
      calls: [
        expect.objectContaining({ tool: "file_read" }),
        expect.objectContaining({ tool: "file_write" }),
      ],
    });
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect({ has_earlier_messages, is_cut }).toEqual({
      has_earlier_messages: false,
      is_cut: false,
    });
    expect((await moment(12)).messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
    ]);
  });

  it("is the same as its actors' rows after their last steps", async () => {
    const { hive, moment } = await twoCalls();
    for (const row of await hive.engine.read.select(actorTable, { index: "key" })) {
      if (!row.address.includes("/run/")) continue;
      const { context, value, actors } = await moment(row.seq);
      expect(context).toEqual(row.snapshot.context);
      expect(value).toEqual(row.snapshot.value);
      expect(actors.find(({ address }) => address === row.address)).toMatchObject({
        state: row.state,
        status: row.status,
      });
    }
  });

  it("is the same however one came to it: forwards, backwards, or at once", async () => {
    const { hive, id, moment } = await twoCalls();
    const views = journalViews(hive.engine.read);
    const { frames } = await views.page(id);
    const steps = frames.map(({ seq }) => seq);
    for (const seq of [...steps, ...steps.toReversed(), 12, 5, 13])
      expect(await views.moment(id, seq)).toEqual(await moment(seq));
    for (const { seq } of frames) expect(frames).toContainEqual((await moment(seq)).frame);
  });

  it("has what an actor knew when it ended, though its row is gone", async () => {
    const { hive, moment } = await twoCalls();
    const before = await moment(12);
    expect(before).toMatchObject({ value: "done", context: { call: { name: "file_read" } } });
    hive.store.begin();
    hive.store.remove(actorTable, before.frame.address);
    await hive.store.commit();
    expect(await moment(12)).toEqual(before);
  });

  it("says what of it is not known", async () => {
    const { hive, id, moment } = await twoCalls();
    hive.store.begin();
    hive.store.remove(journalTable, 3);
    await hive.store.commit();
    expect(await moment(5)).toMatchObject({
      context: null,
      context_unknown: "its beginning is not in the journal any more",
      frame: { replayed: "unknown" },
    });
    await expect(moment(3)).rejects.toMatchObject({
      code: "step.not_found",
      message: `Step 3 of ${id} is not in the journal any more, or never was.`,
    });
  });

  it("is none of a step that is not the run's", async () => {
    const { moment } = await twoCalls();
    for (const seq of [0, 1, 2, 999])
      await expect(moment(seq)).rejects.toMatchObject({
        code: "step.not_found",
        message: `r2 has no step ${seq}.`,
      });
  });

  it("is bounded, however much a model says, and so is each step", async () => {
    const big = "word ".repeat(200_000);
    const provider: ModelProvider = {
      id: "big",
      defaultModel: "big",
      supportsTools: true,
      complete: async () => ({
        content: [{ type: "text", text: big }],
        stop_reason: "end_turn",
        input_tokens: 1,
        output_tokens: 1,
      }),
    };
    const hive = await createTestHive({ provider });
    await hive.say("talk");
    await hive.engine.settled();
    const views = journalViews(hive.engine.read);
    const { frames } = await views.page("r2");
    expect(frames.at(-1)?.what).toMatchObject({ text: big.slice(0, 2_048), is_cut: true });
    const moment = await views.moment("r2", frames.at(-1)?.seq ?? 0);
    expect(moment.is_cut).toBe(true);
    expect(JSON.stringify(moment).length).toBeLessThan(1_500_000);
    expect(JSON.stringify(moment.event)).toContain("more characters)");
  });
});

import { expect, it } from "vitest";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { heldModel } from "../support/held-model.ts";
import { createTestHive, type TestHive } from "../support/hive.ts";
import { approvals, decide, messages, reached, runs, slowFiles, tell } from "./hive-watch.ts";

/** A run that is asked to stop: after its step, or at once. */

const stop = (hive: TestHive) => tell(hive, "run", "run.stop_after_step");

async function asked(options: Parameters<typeof createTestHive>[0] = {}) {
  const model = heldModel();
  const hive = await createTestHive({ ...options, provider: model.provider });
  await hive.say("one");
  return { hive, model, first: await model.next() };
}

it("lets the tool calls of the step end, then stops with a word of its own and asks no model again", async () => {
  const { hive, model, first } = await asked();
  expect(await stop(hive)).toMatchObject({ outcome: "handled", state: "thinking" });
  first.calls("file_list", { path: "." });
  await hive.engine.settled();
  expect(model.asked).toHaveLength(1);
  expect(await runs(hive)).toMatchObject([
    { state: "cancelled", reply: "I stopped there, as asked.", error: null },
  ]);
  expect((await messages(hive)).map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
});

it("is too late for a step that answers: the answer counts", async () => {
  const { hive, first } = await asked();
  await stop(hive);
  first.says("Done.");
  await hive.engine.settled();
  expect(await runs(hive)).toMatchObject([{ state: "done", reply: "Done." }]);
});

it("stops at once where only a person is waited for, also when that comes later", async () => {
  const { hive, first } = await asked();
  first.calls("file_write", { path: "a.txt", content: "hi" });
  await hive.engine.settled();
  await stop(hive);
  await hive.engine.settled();
  expect(await runs(hive)).toMatchObject([{ state: "cancelled" }]);

  const later = await asked();
  await stop(later.hive);
  later.first.calls("ask_user", { question: "Go on?" });
  await later.hive.engine.settled();
  expect(await runs(later.hive)).toMatchObject([{ state: "cancelled" }]);
  expect(await approvals(later.hive)).toMatchObject([{ state: "cancelled" }]);
});

it("lets what waits have its turn", async () => {
  const { hive, model, first } = await asked();
  await hive.say("two");
  await stop(hive);
  first.calls("file_list", { path: "." });
  (await model.next()).says("2");
  await hive.engine.settled();
  expect((await runs(hive)).map(({ reply }) => reply)).toEqual(["I stopped there, as asked.", "2"]);
});

it("asks no model again after a hard stop, though the tool that ran has a result", async () => {
  const slow = slowFiles(createMemoryFiles());
  const { hive, model, first } = await asked({ files: slow.files });
  first.calls("file_write", { path: "a.txt", content: "hi" });
  await hive.engine.settled();
  const executing = reached(hive, "tool_call", "executing");
  await decide(hive);
  await executing;
  await tell(hive, "run", "run.cancel");
  slow.goOn();
  await hive.engine.settled();
  expect(await runs(hive)).toMatchObject([{ state: "cancelled", reply: null }]);
  expect(model.asked).toHaveLength(1);
});

import { describe, expect, it } from "vitest";
import { createMemoryHive } from "../../../support/memory-hive.ts";

const path = "main/tg_main/2026-11-22.md";

/** A file of Anna's, to which the agent writes once; then somebody saves it. */
async function afterWrite(save: (held: string) => string, minutesLater = 1) {
  const hive = await createMemoryHive();
  hive.memoryFiles.edit(path, "- Tea at five.\n");
  await hive.looked();
  await hive.memory.parts.memories
    .of({
      channel_type: "telegram",
      connector_id: "tg_main",
      conversation_scope: "1001",
      user_scope: "1001",
      agent_id: "main",
    })
    .write({
      target: { to: "daily" },
      entry: { text: "The printer needs A4.", origins: ["user:1001"] },
      key: "k1",
      session_id: "s1",
      trace_id: "t1",
      signal: new AbortController().signal,
    });
  hive.clock.advance(minutesLater * 60_000);
  await hive.looked();
  hive.memoryFiles.edit(path, save(hive.memoryFiles.text(path) ?? ""));
  await hive.looked();
  const [edit, written] = await hive.memory.desk().log({ path, limit: 2 });
  return { over: edit?.over, edited: edit?.kind, written: written?.change_id, hive, edit };
}

describe("what is saved over what an agent has just written", () => {
  it("names the change of which it left nothing, and taking it back brings that again", async () => {
    const { over, edited, written, hive, edit } = await afterWrite(() => "- Tea at six.\n");
    expect([edited, over]).toEqual(["edit", [written]]);
    const { change } = await hive.memory.desk().diffOf(edit?.change_id ?? "");
    expect(change.over).toEqual([written]);
    await hive.memory.desk().restore(edit?.change_id ?? "", { by: "cli" });
    expect(hive.memoryFiles.text(path)).toContain("The printer needs A4.");
    const [restored] = await hive.memory.desk().log({ path, limit: 1 });
    expect(restored).toMatchObject({ kind: "restore", over: [] });
  });

  it.each([
    [
      "keeps it, whatever else it takes out",
      (held: string) => held.replace("- Tea at five.\n", ""),
    ],
    ["keeps it without its comment", () => "- The printer needs A4.\n"],
    ["adds to it", (held: string) => `${held}- Bread.\n`],
  ])("names none where it %s", async (_, save) => {
    expect(await afterWrite(save)).toMatchObject({ edited: "edit", over: [] });
  });

  it("names none where the agent wrote more than ten minutes before", async () => {
    const late = await afterWrite(() => "- Tea at six.\n", 11);
    expect(late).toMatchObject({ edited: "edit", over: [] });
  });
});

import { describe, expect, it } from "vitest";
import { createFakeMemoryVersions } from "../../../src/adapters/memory-files/fake-memory-versions.ts";
import { createMemoryHive, memoryNow } from "../../support/memory-hive.ts";

const dayMs = 86_400_000;
const plenty = 1_000_000;
const bytes = (text: string) => new TextEncoder().encode(text);

describe("kept versions that no change names", () => {
  it("go after two days, and notes of changes after eight; those that are named stay", async () => {
    let now = memoryNow;
    const versions = createFakeMemoryVersions(() => now);
    const hive = await createMemoryHive({ versions });
    hive.memoryFiles.edit("main/tg/notes.md", "first\n");
    hive.clock.advance(60_000);
    await hive.looked();
    hive.memoryFiles.edit("main/tg/notes.md", "second\n");
    hive.clock.advance(60_000);
    await hive.looked();
    const orphan = await versions.keep(bytes("nobody's\n"));
    await versions.note("staged-old", "[]");
    const named = await Promise.all(
      ["first\n", "second\n"].map((text) => versions.keep(bytes(text))),
    );
    await hive.memory.tidy(plenty);
    expect(await versions.read(orphan)).toBeDefined();
    hive.clock.advance(3 * dayMs);
    now = hive.clock.now();
    await versions.note("staged-new", "[]");
    await hive.memory.tidy(plenty);
    expect(await versions.read(orphan)).toBeUndefined();
    expect((await versions.list()).map(({ hash }) => hash).toSorted()).toEqual(named.toSorted());
    expect(await versions.noted("staged-old")).toBe("[]");
    hive.clock.advance(6 * dayMs);
    await hive.memory.tidy(plenty);
    expect(await versions.noted("staged-old")).toBeUndefined();
    expect(await versions.noted("staged-new")).toBe("[]");
  });
});

describe("kept versions that take too much of the disk", () => {
  it("go, the oldest first, but for what files hold now and what was kept in the last hour; the log says so", async () => {
    const hive = await createMemoryHive();
    const { clock, memory, memoryFiles, looked } = hive;
    for (const text of ["first", "second", "third"]) {
      memoryFiles.edit("main/tg/notes.md", `${text}\n`.padEnd(1_000));
      await looked();
      clock.advance(dayMs);
    }
    await memory.tidy(2_000);
    const desk = memory.desk();
    const diffs = async () =>
      (await Promise.all(["m1", "m2", "m3"].map((id) => desk.diffOf(id)))).map(
        ({ diff }) => diff !== null,
      );
    expect(await diffs()).toEqual([false, false, true]);
    await expect(desk.restore("m2", { by: "cli" })).rejects.toMatchObject({
      code: "memory.not_found",
      message:
        "m2 cannot be taken back: what main/tg/notes.md held before it is not kept any more.",
    });
    await memory.tidy(1);
    expect(memoryFiles.text("main/tg/notes.md")).toContain("third");
    expect(await hive.versions.list()).toHaveLength(1);
    memoryFiles.edit("main/tg/notes.md", "fourth\n");
    await looked();
    await desk.restore("m4", { by: "cli" });
    expect(memoryFiles.text("main/tg/notes.md")).toContain("third");
  });
});

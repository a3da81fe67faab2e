import { describe, expect, it } from "vitest";
import { createFakeMemoryVersions } from "../../../src/adapters/memory-files/fake-memory-versions.ts";
import { createMemoryHive, memoryNow } from "../../support/memory-hive.ts";

const dayMs = 86_400_000;
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
    await hive.memory.tidy();
    expect(await versions.read(orphan)).toBeDefined();
    hive.clock.advance(3 * dayMs);
    now = hive.clock.now();
    await versions.note("staged-new", "[]");
    await hive.memory.tidy();
    expect(await versions.read(orphan)).toBeUndefined();
    expect((await versions.list()).map(({ hash }) => hash).toSorted()).toEqual(named.toSorted());
    expect(await versions.noted("staged-old")).toBe("[]");
    hive.clock.advance(6 * dayMs);
    await hive.memory.tidy();
    expect(await versions.noted("staged-old")).toBeUndefined();
    expect(await versions.noted("staged-new")).toBe("[]");
  });
});

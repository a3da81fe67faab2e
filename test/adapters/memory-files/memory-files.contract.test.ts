import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { createFakeMemoryFiles } from "../../../src/adapters/memory-files/fake-memory-files.ts";
import { createFakeMemoryVersions } from "../../../src/adapters/memory-files/fake-memory-versions.ts";
import { openDiskMemoryVersions } from "../../../src/adapters/memory-files/disk-memory-versions.ts";
import { openLinuxMemoryFiles } from "../../../src/adapters/memory-files/linux-memory-files.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const directory = () => mkdtempSync(join(tmpdir(), "memory-"));
const path = "main/tg/MEMORY.md";

describe.each([
  ["the fake", async () => createFakeMemoryFiles()],
  [
    "files of Linux",
    () => openLinuxMemoryFiles({ root: directory(), clock: createSimulatedClock() }),
  ],
])("files of memory, by %s", (_, open) => {
  it("are not there until something took their place", async () => {
    const files = await open();
    const name = await files.stage(path, bytes("one\n"));
    expect(await files.read(path)).toBeUndefined();
    expect(await files.isStaged(path, name)).toBe(true);
    expect(await files.list()).toEqual({ files: [], skipped: [] });
    expect(await files.replace(path, { name, expected: null })).toEqual({ isDone: true });
    expect(await files.isStaged(path, name)).toBe(false);
    expect(await files.read(path)).toMatchObject({ bytes: 4, content: bytes("one\n") });
    expect(await files.list()).toMatchObject({ files: [{ path, bytes: 4 }], skipped: [] });
  });

  it("are replaced and taken away only where they hold what is expected", async () => {
    const files = await open();
    const first = await files.stage(path, bytes("one\n"));
    await files.replace(path, { name: first, expected: null });
    const { hash = "" } = (await files.read(path)) ?? {};
    const second = await files.stage(path, bytes("two\n"));
    for (const expected of [null, "0".repeat(64)])
      expect(await files.replace(path, { name: second, expected })).toEqual({ isDone: false });
    expect(await files.isStaged(path, second)).toBe(true);
    expect(await files.remove(path, "0".repeat(64))).toBe(false);
    expect(await files.replace(path, { name: second, expected: hash })).toEqual({
      isDone: true,
    });
    const now = (await files.read(path))?.hash ?? "";
    expect(await files.remove(path, now)).toBe(true);
    expect(await files.read(path)).toBeUndefined();
  });

  it("lose what is staged when it is discarded, or tidied away", async () => {
    const files = await open();
    const [one, two, three] = await Promise.all(
      ["1", "2", "3"].map((text) => files.stage(path, bytes(text))),
    );
    await files.discard(path, one ?? "");
    await files.tidy(new Set([two ?? ""]));
    const left = [one, two, three].map((name) => files.isStaged(path, name ?? ""));
    expect(await Promise.all(left)).toEqual([false, true, false]);
  });

  it.each(["../x.md", "/x.md", "a//b.md", "a/../b.md", "", ".", "a\0b"])(
    "M01: have no path %j",
    async (odd) => {
      const files = await open();
      for (const attempt of [() => files.read(odd), () => files.stage(odd, bytes("x"))])
        await expect(attempt()).rejects.toMatchObject({ code: "memory.refused" });
    },
  );
});

describe.each([
  ["the fake", async () => createFakeMemoryVersions()],
  ["the disk", () => openDiskMemoryVersions(directory())],
])("versions of memory, by %s", (_, open) => {
  it("are kept by their hash until they are taken away", async () => {
    const versions = await open();
    const hash = await versions.keep(bytes("one\n"));
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await versions.keep(bytes("one\n"))).toBe(hash);
    expect(await versions.read(hash)).toEqual(bytes("one\n"));
    expect(await versions.list()).toMatchObject([{ hash }]);
    await versions.remove(hash);
    expect(await versions.read(hash)).toBeUndefined();
    expect(await versions.list()).toEqual([]);
  });

  it("have notes beside them, under any name", async () => {
    const versions = await open();
    const name = "change-memory/change/7/changeMemory#12";
    await versions.note(name, "a");
    await versions.note(name, "b");
    expect(await versions.noted(name)).toBe("b");
    expect(await versions.notes()).toMatchObject([{ hash: name }]);
    await versions.forgetNote(name);
    expect(await versions.noted(name)).toBeUndefined();
    expect(await versions.list()).toEqual([]);
  });
});

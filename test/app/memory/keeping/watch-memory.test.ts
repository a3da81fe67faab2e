import { mkdirSync, mkdtempSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSimulatedClock } from "../../../../src/adapters/clock/simulated-clock.ts";
import {
  createFakeMemoryFiles,
  type FakeMemoryFiles,
} from "../../../../src/adapters/memory-files/fake-memory-files.ts";
import { openLinuxMemoryFiles } from "../../../../src/adapters/memory-files/linux-memory-files.ts";
import { AgentError } from "../../../../src/schema/errors.ts";
import { decodedText } from "../../../../src/memory/decoded-text.ts";
import { createInMemoryIndex } from "../../../../src/adapters/memory-index/in-memory-index.ts";
import type { MemoryIndex } from "../../../../src/ports/memory-index.ts";
import { createMemoryHive, memoryNow } from "../../../support/memory-hive.ts";

describe("a file of memory that became a link", () => {
  it("keeps no edit of another file from being noted", async () => {
    const root = mkdtempSync(join(tmpdir(), "watched-"));
    const at = (path: string) => join(root, path);
    mkdirSync(at("main/local"), { recursive: true });
    writeFileSync(at("main/local/MEMORY.md"), "- Kept elsewhere soon.\n");
    const clock = createSimulatedClock(memoryNow);
    const opened = await openLinuxMemoryFiles({ root, clock });
    const unwatched = { ...opened, watch: async () => async () => {} };
    const memoryFiles = { ...createFakeMemoryFiles(), ...unwatched };
    const hive = await createMemoryHive({ clock, memoryFiles });
    renameSync(at("main/local/MEMORY.md"), at("elsewhere.md"));
    symlinkSync(at("elsewhere.md"), at("main/local/MEMORY.md"));
    writeFileSync(at("main/local/plans.md"), "- To Lisbon in May.\n");
    clock.advance(60_000);
    await hive.looked();
    await hive.memory.stop();
    expect(await hive.memory.desk().log({ limit: 5 })).toMatchObject([
      { path: "main/local/plans.md", kind: "edit" },
      { path: "main/local/MEMORY.md", kind: "edit" },
    ]);
  });
});

describe("a file that a script saves without end", () => {
  const path = "main/tg_main/status.md";

  async function savedEverySecond(times: number) {
    const hive = await createMemoryHive();
    const save = async (text: string) => {
      hive.memoryFiles.edit(path, text);
      await hive.looked();
      hive.clock.advance(1_000);
      await hive.looked();
    };
    for (let count = 1; count <= times; count += 1) await save(`- Status ${count}.\n`);
    const log = () => hive.memory.desk().log({ limit: 1_000 });
    return { ...hive, save, log };
  }

  it("has its first saves kept, then ever fewer, and what it ends with", async () => {
    const { log, clock, looked, versions, memory, memoryFiles } = await savedEverySecond(300);
    expect((await log()).length).toBeLessThan(30);
    expect(await versions.list()).toHaveLength((await log()).length);
    for (let minute = 0; minute < 10; minute += 1) {
      clock.advance(60_000);
      await looked();
    }
    const [last] = await log();
    expect(decodedText(await versions.read(last?.after ?? ""))).toBe("- Status 300.\n");
    await memory.desk().restore(last?.change_id ?? "", { by: "cli" });
    expect(memoryFiles.text(path)).toBe(decodedText(await versions.read(last?.before ?? "")));
  });

  it("is kept as it is by then when somebody else writes to it", async () => {
    const { log, memory, versions, memoryFiles } = await savedEverySecond(100);
    await memory.desk().restore("m10", { by: "cli", whole: true });
    expect(memoryFiles.text(path)).toBe("- Status 9.\n");
    const [restored, edited] = await log();
    expect([restored?.kind, edited?.kind]).toEqual(["restore", "edit"]);
    expect(decodedText(await versions.read(restored?.before ?? ""))).toBe("- Status 100.\n");
  });

  it("begins anew when nobody saved it for a while", async () => {
    const { log, clock, looked, save } = await savedEverySecond(50);
    for (let minute = 0; minute < 30; minute += 1) {
      clock.advance(60_000);
      await looked();
    }
    const before = (await log()).length;
    for (let count = 1; count <= 20; count += 1) await save(`- Later ${count}.\n`);
    expect((await log()).length).toBe(before + 20);
  });
});

describe("a file of memory that the service's user may not read", () => {
  it("is left out with the reason, in no log of edits, and found again once it may be read", async () => {
    const path = "main/local/MEMORY.md";
    const text = "- The door code is in the safe.\n";
    const files = createFakeMemoryFiles({ [path]: text });
    let mayRead = true;
    let changes = 0;
    const chmod = (may: boolean) => {
      mayRead = may;
      changes += 1;
    };
    const guarded: FakeMemoryFiles = Object.assign(Object.create(files), {
      list: async () => {
        const found = await files.list();
        return { ...found, files: found.files.map((each) => ({ ...each, changed_at: changes })) };
      },
      read: async (asked: string) => {
        if (mayRead) return files.read(asked);
        throw new AgentError("memory.refused", `${asked} cannot be used: permission is missing.`);
      },
    });
    const hive = await createMemoryHive({ memoryFiles: guarded });
    const desk = hive.memory.desk();
    const found = async () => {
      hive.clock.advance(60_000);
      await hive.looked();
      return (await desk.search({ text: "door code", limit: 5 })).length;
    };
    expect(await found()).toBe(1);
    chmod(false);
    expect(await found()).toBe(0);
    expect((await desk.list()).skipped).toEqual([
      { path, reason: "it cannot be used: permission is missing." },
    ]);
    chmod(true);
    expect(await found()).toBe(1);
    expect((await desk.list()).skipped).toEqual([]);
    expect(await desk.log({ limit: 5 })).toHaveLength(1);
  });
});

describe("a folder of memory that moved", () => {
  const pages = Array.from({ length: 60 }, (_, page) => `page-${page}.md`);

  async function movedFolder(changes: Partial<MemoryIndex> = {}) {
    const memoryFiles = createFakeMemoryFiles();
    for (const page of pages) memoryFiles.edit(`main/local/old/${page}`, `- Shelf ${page}.\n`);
    const index = createInMemoryIndex();
    const removals: number[] = [];
    const remove: MemoryIndex["remove"] = (paths) => {
      removals.push(paths.length);
      return index.remove(paths);
    };
    const hive = await createMemoryHive({ memoryFiles, index: { ...index, remove, ...changes } });
    for (const page of pages) memoryFiles.edit(`main/local/old/${page}`, null);
    for (const page of pages) memoryFiles.edit(`main/local/new/${page}`, `- Shelf ${page}.\n`);
    await hive.looked();
    const indexed = async () => (await index.documents()).map(({ path }) => path);
    return { ...hive, index, removals, indexed };
  }

  it("is found at its new place alone, after one removal from the index", async () => {
    const { indexed, removals } = await movedFolder();
    expect(await indexed()).toEqual(pages.map((page) => `main/local/new/${page}`));
    expect(removals).toEqual([pages.length]);
  });

  it("is found at its old place no more once the index, which could not remove it, can", async () => {
    let failures = 1;
    const fails = async () => {
      failures -= 1;
      throw new AgentError("index.unavailable", "the index of memory cannot be used: the disk");
    };
    const { indexed, clock, looked, index } = await movedFolder({
      remove: (paths) => (failures > 0 ? fails() : index.remove(paths)),
    });
    clock.advance(60_000);
    await looked();
    expect(await indexed()).toHaveLength(pages.length);
  });
});

import { mkdirSync, mkdtempSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { createFakeMemoryFiles } from "../../../src/adapters/memory-files/fake-memory-files.ts";
import { openLinuxMemoryFiles } from "../../../src/adapters/memory-files/linux-memory-files.ts";
import { createMemoryHive, memoryNow } from "../../support/memory-hive.ts";

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

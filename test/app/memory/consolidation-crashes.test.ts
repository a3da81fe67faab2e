import { expect, it } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { createFakeMemoryFiles } from "../../../src/adapters/memory-files/fake-memory-files.ts";
import { createFakeMemoryVersions } from "../../../src/adapters/memory-files/fake-memory-versions.ts";
import { silentLog } from "../../../src/adapters/log/json-log.ts";
import { createInMemoryIndex } from "../../../src/adapters/memory-index/in-memory-index.ts";
import { createMemoryService } from "../../../src/app/memory/memory-service.ts";
import { memorySettings } from "../../../src/memory/settings.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { actorTable } from "../../../src/engine/tables.ts";
import { memoryChangeTable } from "../../../src/schema/rows/memory-rows.ts";
import { providerOf } from "../../actors/test-agents.ts";
import { crashEverywhere } from "../../support/crash-driver.ts";
import { type Disk, memoryDisk } from "../../support/disks.ts";
import { createTestHive } from "../../support/hive.ts";
import { memoryNow } from "../../support/memory-hive.ts";

/** Wherever the process dies, memory is tidied once, and no text is lost. */

const longTerm = "main/local/MEMORY.md";
const old = "main/local/2026-01-02.md";
const recent = "main/local/2026-11-20.md";
const before = {
  [longTerm]: "# Memory\n\n- by hand\n",
  [old]: "# 2026-01-02\n\n- Anna drinks tea. <!-- 09:10 user:tester -->\n- mine\n",
  [recent]: "# 2026-11-20\n\n- Anna has a cat. <!-- 14:02 user:tester -->\n",
};
const answer = JSON.stringify({
  promote: [
    { entries: ["d1"], text: "Anna drinks tea." },
    { entries: ["d3"], text: "Anna has a cat." },
  ],
});
const provider = providerOf(() => ({ content: [{ type: "text", text: answer }] }));
const policy = { boundary: ["memory.read:*", "memory.write:own"] };
const address = "consolidation/main";

const stage = () => {
  const clock = createSimulatedClock(memoryNow);
  const memoryFiles = createFakeMemoryFiles(before);
  const versions = createFakeMemoryVersions(() => clock.now());
  return async (disk: Disk, faultPoint: (label: string) => void) => {
    const store = await disk.open();
    const memory = createMemoryService({
      files: memoryFiles,
      versions,
      index: createInMemoryIndex(),
      settings: memorySettings(),
      clock,
      log: silentLog,
      timeZone: "UTC",
    }).parts;
    const given = { store, clock, memory, provider, policy, faultPoint };
    const { engine } = await createTestHive(given);
    const alive = async () => {
      await engine.settled();
      await engine.send("nobody", { type: "run.cancel" }, { origin: "cli" });
    };
    await alive();
    if ((await engine.read.get(actorTable, address)) === undefined) {
      const input = { partition: "main/local", by: "cli", is_by_hand: true };
      await engine.create(address, { machine: "consolidation", input });
    }
    await alive();
    const actor = await engine.read.get(actorTable, address);
    const changes = await engine.read.select(memoryChangeTable, { index: "by_n" });
    await engine.close();
    return {
      state: actor?.state,
      texts: [longTerm, old, recent].map((path) => memoryFiles.text(path)),
      consolidated: changes.filter(({ kind }) => kind === "consolidate").length,
      staged: memoryFiles.staged(),
    };
  };
};

it("tidies once, wherever the process dies", async () => {
  const plays = await crashEverywhere({ makeDisk: () => memoryDisk(allTables), stage });
  expect(plays.length).toBeGreaterThan(8);
  for (const { crashedAt, result } of plays)
    expect({ crashedAt, ...result }).toEqual({
      crashedAt,
      state: "done",
      texts: [
        "# Memory\n\n- by hand\n- Anna drinks tea. <!-- 2026-01-02 09:10 user:tester -->\n- Anna has a cat. <!-- 2026-11-20 14:02 user:tester -->\n",
        "# 2026-01-02\n\n- mine\n",
        before[recent],
      ],
      consolidated: 2,
      staged: [],
    });
});

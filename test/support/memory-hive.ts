import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import { silentLog } from "../../src/adapters/log/json-log.ts";
import {
  createFakeMemoryFiles,
  type FakeMemoryFiles,
} from "../../src/adapters/memory-files/fake-memory-files.ts";
import { createFakeMemoryVersions } from "../../src/adapters/memory-files/fake-memory-versions.ts";
import { createInMemoryIndex } from "../../src/adapters/memory-index/in-memory-index.ts";
import { createMemoryService, type MemoryService } from "../../src/app/memory/memory-service.ts";
import { createNewsBus } from "../../src/app/news/news.ts";
import { memorySettings } from "../../src/memory/settings.ts";
import type { MemoryIndex } from "../../src/ports/memory-index.ts";
import type { MemoryVersions } from "../../src/ports/memory-versions.ts";
import { createTestHive, type TestHive, type TestHiveOptions } from "./hive.ts";

/** An agent with a memory, over fakes of files, versions and index unless others are given. */
export type MemoryHive = TestHive & {
  readonly memory: MemoryService;
  readonly memoryFiles: FakeMemoryFiles;
  readonly versions: MemoryVersions;
  readonly index: MemoryIndex;
  /** All that was seen is kept and found. */
  looked(): Promise<void>;
};

type Given = TestHiveOptions & {
  readonly memoryFiles?: FakeMemoryFiles;
  readonly versions?: MemoryVersions;
  readonly index?: MemoryIndex;
};

/** Sunday, November 22nd 2026, 14:02 in UTC. */
export const memoryNow = Date.UTC(2026, 10, 22, 14, 2);

export async function createMemoryHive(given: Given = {}): Promise<MemoryHive> {
  const clock = given.clock ?? createSimulatedClock(memoryNow);
  const memoryFiles = given.memoryFiles ?? createFakeMemoryFiles();
  const versions = given.versions ?? createFakeMemoryVersions(() => clock.now());
  const index = given.index ?? createInMemoryIndex();
  const memory = createMemoryService({
    files: memoryFiles,
    versions,
    index,
    settings: memorySettings(),
    clock,
    log: silentLog,
    timeZone: "UTC",
  });
  const hive = await createTestHive({ ...given, clock, memory: memory.parts });
  memory.attach(hive.engine);
  memory.follow(createNewsBus(hive.engine));
  const looked = async () => {
    await memory.looked();
    await hive.engine.settled();
  };
  await looked();
  return { ...hive, memory, memoryFiles, versions, index, looked };
}

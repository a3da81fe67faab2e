import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import { createLinuxFiles } from "../../src/adapters/files/linux-files.ts";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { keepHouse } from "../../src/app/housekeeping.ts";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { fileOriginTable } from "../../src/schema/rows/file-origin-rows.ts";
import { removeOldOutputs } from "../../src/tools/kept-outputs.ts";
import { createTestHive } from "../support/hive.ts";

const dayMs = 86_400_000;
const now = 100 * dayMs;

function createOutputs(files: Readonly<Record<string, { days: number; bytes: number }>>) {
  const root = mkdtempSync(join(tmpdir(), "statehive-outputs-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const directory = join(root, ".statehive/output");
  mkdirSync(directory, { recursive: true });
  for (const [name, { days, bytes }] of Object.entries(files)) {
    const path = join(directory, name);
    writeFileSync(path, "");
    truncateSync(path, bytes);
    const at = (now - days * dayMs) / 1_000;
    utimesSync(path, at, at);
  }
  return { root, directory };
}

it("removes outputs that are older than a week, and the oldest beyond 256 MiB", async () => {
  const mebibytes = 1024 * 1024;
  const { root, directory } = createOutputs({
    "new.txt": { days: 1, bytes: 200 * mebibytes },
    "middle.txt": { days: 2, bytes: 50 * mebibytes },
    "large.txt": { days: 3, bytes: 60 * mebibytes },
    "old.txt": { days: 8, bytes: 1 },
  });
  expect((await removeOldOutputs(await createLinuxFiles({ root }), now)).toSorted()).toEqual([
    ".statehive/output/large.txt",
    ".statehive/output/old.txt",
  ]);
  expect(readdirSync(directory).toSorted()).toEqual(["middle.txt", "new.txt"]);
});

it("touches nothing outside when the directory is a link, and minds none that is missing", async () => {
  const { root, directory } = createOutputs({ "old.txt": { days: 30, bytes: 1 } });
  const other = mkdtempSync(join(tmpdir(), "statehive-outputs-"));
  onTestFinished(() => rmSync(other, { recursive: true, force: true }));
  mkdirSync(join(other, ".statehive"));
  symlinkSync(directory, join(other, ".statehive/output"));
  expect(await removeOldOutputs(await createLinuxFiles({ root: other }), now)).toEqual([]);
  expect(await removeOldOutputs(createMemoryFiles(), now)).toEqual([]);
  expect(readdirSync(join(root, ".statehive/output"))).toEqual(["old.txt"]);
});

it("is part of the housekeeping of each day, and takes the marks of what it removes", async () => {
  const files = createMemoryFiles({ ".statehive/output/a.txt": "old", "b.txt": "kept" });
  const clock = createSimulatedClock(now);
  const store = createMemoryStore({ tables: allTables });
  const workspace = "/work";
  store.begin();
  for (const path of [".statehive/output/a.txt", "b.txt"])
    store.put(fileOriginTable, { workspace, path, origins: ["web:a.example"], at: now });
  await store.commit();
  const { engine } = await createTestHive({ clock, store });
  let tell: () => void = () => undefined;
  const isPruned = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const stop = keepHouse({
    engine,
    clock,
    log: (_level, text) => (text === "old records were deleted" ? tell() : undefined),
    retention: () => ({ journal_days: 30, audit_days: 365, usage_days: 400, memory_days: 365 }),
    workspaces: () => [{ workspace, files }],
  });
  clock.advance(dayMs);
  await isPruned;
  const { entries } = await files.list(".", { depth: 9, maxEntries: 9 });
  expect(entries.map(({ path }) => path)).not.toContain(".statehive/output/a.txt");
  const marks = await engine.read.select(fileOriginTable, { index: "key" });
  expect(marks.map(({ path }) => path)).toEqual(["b.txt"]);
  stop();
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { openLibsqlStore } from "../../src/adapters/engine/open-libsql.ts";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { EngineCrash } from "../../src/engine/transaction.ts";
import type { Files } from "../../src/ports/files.ts";
import type { RowStore } from "../../src/ports/store.ts";
import { play, type Played } from "../support/crash-play.ts";

/** Two calls in parallel, one of them `once` and asked about, then a run that is cancelled: dropped at every commit, before and after. */

type Disk = {
  open(): Promise<RowStore>;
  /** What a dead process leaves. */
  crash(): Promise<void>;
  dispose(): Promise<void>;
};

function inMemory(): Disk {
  let store = createMemoryStore({ tables: allTables, strict: true });
  return {
    open: async () => store,
    crash: async () => {
      store = store.crash();
    },
    dispose: async () => {},
  };
}

async function inFile(): Promise<Disk> {
  const directory = await mkdtemp(join(tmpdir(), "statehive-crash-"));
  const url = `file:${directory}/hive.db`;
  let store: RowStore | undefined;
  const close = async () => {
    store?.rollback();
    await store?.close();
    store = undefined;
  };
  return {
    open: async () =>
      (store ??= await openLibsqlStore({ url, tables: allTables, durability: "process" })),
    crash: close,
    dispose: async () => {
      await close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function countedFiles(): { readonly files: Files; readonly writes: string[] } {
  const files = createMemoryFiles({ "in.txt": "input\n" });
  const writes: string[] = [];
  const write: Files["write"] = (path, content) => {
    writes.push(path);
    return files.write(path, content);
  };
  return { files: { ...files, write }, writes };
}

async function playOn(
  disk: Disk,
  crashAt: number,
): Promise<Played & { readonly writes: readonly string[] }> {
  const { files, writes } = countedFiles();
  let points = 0;
  const faultPoint = (label: string) => {
    points += 1;
    if (points === crashAt) throw new EngineCrash(label);
  };
  const played = await play({ disk, files, faultPoint });
  return { ...played, points, writes };
}

describe.each([
  ["memory", async () => inMemory()],
  ["libsql", inFile],
] as const)("the %s engine, dropped at every commit", (_name, create) => {
  it("loses nothing, does nothing twice, and ends every run", async () => {
    const undisturbed = await create();
    const { points } = await playOn(undisturbed, 0);
    await undisturbed.dispose();
    expect(points).toBeGreaterThan(20);
    for (let crashAt = 1; crashAt <= points; crashAt++) {
      const disk = await create();
      const {
        crashes,
        runs,
        messagesTaken,
        runsFinished,
        pairs,
        openApprovals,
        auditFault,
        writes,
      } = await playOn(disk, crashAt);
      await disk.dispose();
      expect({
        crashAt,
        crashes,
        runs,
        messagesTaken,
        runsFinished,
        pairs,
        openApprovals,
        auditFault,
        writes,
      }).toEqual({
        crashAt,
        crashes: 1,
        runs: ["done", "cancelled"],
        messagesTaken: 2,
        runsFinished: 2,
        pairs: "every call has one result",
        openApprovals: 0,
        auditFault: undefined,
        writes: ["out.txt"],
      });
    }
  });
});

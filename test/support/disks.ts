import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { openLibsqlStore } from "../../src/adapters/engine/open-libsql.ts";
import type { RowStore } from "../../src/ports/store.ts";
import type { Table } from "../../src/schema/rows/table.ts";

/** Where rows stay when a process dies. */
export type Disk = {
  open(): Promise<RowStore>;
  /** The process is gone, with its open transaction; what was committed is there for the next `open`. */
  crash(): Promise<void>;
  dispose(): Promise<void>;
};

export type DiskMaker = (tables: readonly Table[]) => Promise<Disk>;

export async function memoryDisk(tables: readonly Table[]): Promise<Disk> {
  let store = createMemoryStore({ tables, strict: true });
  return {
    open: async () => store,
    crash: async () => {
      store = store.crash();
    },
    dispose: async () => {},
  };
}

export async function libsqlDisk(tables: readonly Table[]): Promise<Disk> {
  const directory = await mkdtemp(join(tmpdir(), "statehive-engine-"));
  let store: RowStore | undefined;
  const crash = async () => {
    store?.rollback();
    await store?.close();
    store = undefined;
  };
  return {
    open: async () => {
      const url = `file:${directory}/engine.db`;
      store ??= await openLibsqlStore({ url, tables, durability: "process" });
      return store;
    },
    crash,
    dispose: async () => {
      await crash();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

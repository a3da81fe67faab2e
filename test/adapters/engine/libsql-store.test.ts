import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLibsqlStore } from "../../../src/adapters/engine/open-libsql.ts";
import type { Durability } from "../../../src/adapters/engine/libsql-store.ts";
import {
  contractTables,
  storeContract,
  type StoreUnderTest,
} from "../../contracts/store.contract.ts";

function onDisk(durability: Durability) {
  return async (): Promise<StoreUnderTest> => {
    const directory = await mkdtemp(join(tmpdir(), "statehive-store-"));
    const open = () =>
      openLibsqlStore({ url: `file:${directory}/test.db`, tables: contractTables, durability });
    let store = await open();
    return {
      store,
      reopen: async () => {
        await store.close();
        store = await open();
        return store;
      },
      dispose: async () => {
        await store.close();
        await rm(directory, { recursive: true });
      },
    };
  };
}

storeContract("a libSQL file that outlives power cuts", onDisk("power"));
storeContract("a libSQL file that outlives the process", onDisk("process"));

import { describe, expect, it } from "vitest";
import { auditReads } from "../../src/app/api/audit.ts";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import type { RowStore } from "../../src/ports/store.ts";
import { auditTable } from "../../src/schema/rows/audit-rows.ts";
import { createTestHive } from "../support/hive.ts";

/** Three allowed reads: a decision and an invocation each. */
async function auditedStore(): Promise<RowStore> {
  const store = createMemoryStore({ tables: allTables });
  const hive = await createTestHive({ store });
  for (const path of ["a.txt", "b.txt", "c.txt"]) {
    await hive.say(`call file_read {"path":"${path}"}`);
    await hive.engine.settled();
  }
  return store;
}

async function tamper(store: RowStore, change: () => void): Promise<void> {
  store.begin();
  change();
  await store.commit();
}

const verify = (store: RowStore) =>
  auditReads(store.committed)["audit.verify"]({}, undefined as never);

describe("audit verify", () => {
  it("finds nothing wrong with what the service wrote", async () => {
    expect(await verify(await auditedStore())).toEqual({ ok: true, rows: 6, fault: null });
  });

  it("names a row whose content was changed", async () => {
    const store = await auditedStore();
    await tamper(store, () => store.patch(auditTable, [2], { tool: "file_list" }));
    expect(await verify(store)).toMatchObject({ ok: false, fault: { n: 2 } });
  });

  it("names the gap where a row was deleted", async () => {
    const store = await auditedStore();
    await tamper(store, () => store.remove(auditTable, 2));
    expect(await verify(store)).toMatchObject({
      ok: false,
      fault: { n: 3, message: "rows 2 to 2 are missing" },
    });
  });

  it("names what is missing at the end", async () => {
    const store = await auditedStore();
    await tamper(store, () => store.remove(auditTable, 6));
    expect(await verify(store)).toMatchObject({ ok: false, fault: { n: 6 } });
  });

  it("takes an end that retention has cut off at the beginning", async () => {
    const store = await auditedStore();
    await tamper(store, () => store.remove(auditTable, 1));
    expect(await verify(store)).toEqual({ ok: true, rows: 5, fault: null });
  });
});

import { actorTable } from "../../../engine/tables.ts";
import type { MemoryVersions } from "../../../ports/memory-versions.ts";
import type { CommittedReader } from "../../../ports/store.ts";
import { addressOfStaged } from "./staged-changes.ts";

/** Takes away texts that an earlier process staged for changes that never began. Before actors go on: who asks again stages again. */
export async function dropOrphans(read: CommittedReader, versions: MemoryVersions): Promise<void> {
  for (const { hash: name } of await versions.notes()) {
    const address = addressOfStaged(name);
    if (address === undefined) continue;
    const actor = await read.get(actorTable, address);
    if (actor?.status !== "active") await versions.forgetNote(name);
  }
}

import type { MemoryFiles } from "../../../ports/memory-files.ts";
import type { MemoryVersions } from "../../../ports/memory-versions.ts";
import { isProgressName, readProgress } from "./progress.ts";

/** Takes away what the death of an earlier process left beside files, but for what a change that goes on wants to find. Before changes
 *  are made again. */
export async function tidyStagings(files: MemoryFiles, versions: MemoryVersions): Promise<void> {
  const kept = new Set<string>();
  for (const { hash: name } of await versions.notes()) {
    if (!isProgressName(name)) continue;
    const { pending } = await readProgress(versions, name);
    if (pending !== null && pending.name !== null) kept.add(pending.name);
  }
  await files.tidy(kept);
}

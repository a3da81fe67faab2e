import { parseEntries, sameness } from "../../../memory/entries/entries.ts";
import type { MemoryVersions } from "../../../ports/memory-versions.ts";
import type { CommittedReader } from "../../../ports/store.ts";
import { type MemoryChangeRow, memoryChangeTable } from "../../../schema/rows/memory-rows.ts";
import { keptText } from "./kept-text.ts";

/** An editor that has read a file before an agent wrote to it takes that out again when it saves. */

const justBeforeMs = 10 * 60_000;
const mostLookedAt = 8;

export type ChangesAndTexts = {
  readonly read: CommittedReader;
  readonly versions: Pick<MemoryVersions, "read">;
};

/** Changes of agents, made just before an edit, of whose memories it left none: on purpose or not, nobody can say. Newest first. */
export async function savedOver(
  { read, versions }: ChangesAndTexts,
  { kind, path, n, at, removed, before, after }: MemoryChangeRow,
): Promise<readonly string[]> {
  if (kind !== "edit" || removed === 0) return [];
  const earlier = await read.select(memoryChangeTable, {
    index: "by_path",
    equals: [path],
    before: n,
    descending: true,
    limit: mostLookedAt,
  });
  const written = earlier.filter((each) => isOfAgent(each) && each.at >= at - justBeforeMs);
  if (written.length === 0) return [];
  const memoriesIn = async (hash: string | null) => memoriesOf(await keptText(versions, hash));
  const [stood, stay] = [await memoriesIn(before), await memoriesIn(after)];
  const over: string[] = [];
  for (const each of written) {
    const known = await memoriesIn(each.before);
    const added = [...(await memoriesIn(each.after))].filter((memory) => !known.has(memory));
    const isOver = added.some((memory) => stood.has(memory));
    if (isOver && !added.some((memory) => stay.has(memory))) over.push(each.change_id);
  }
  return over;
}

function isOfAgent({ by, added }: MemoryChangeRow): boolean {
  return by.startsWith("agent:") && added > 0;
}

function memoriesOf(text = ""): ReadonlySet<string> {
  return new Set(parseEntries(text).map((entry) => sameness(entry.text)));
}

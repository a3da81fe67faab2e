import { unitsHolding, unitsOf } from "../../../memory/entries/passages.ts";
import { readingsOf, decodedText } from "../../../memory/decoded-text.ts";
import type { MemoryFiles } from "../../../ports/memory-files.ts";
import type { MemoryVersions } from "../../../ports/memory-versions.ts";
import { AgentError } from "../../../schema/errors.ts";
import type { Passage } from "../../../schema/memory.ts";
import { type Forgettable, isOfMemory } from "./seek-passages.ts";

type Places = {
  readonly files: Pick<MemoryFiles, "list" | "read">;
  readonly versions: Pick<MemoryVersions, "keep" | "list" | "read">;
};

/** Where what is to be forgotten stands in kept versions: a change names it so, and holds no text of it.
 *  @throws AgentError memory.not_found */
export async function passagesToForget(places: Places, what: Forgettable): Promise<Passage[]> {
  if ("path" in what) return [await passageOf(places, what)];
  const passages = await passagesHolding(places, what.text);
  if (passages.length > 0) return passages;
  throw new AgentError("memory.not_found", "Nothing in memory, or in its older versions, says so.");
}

async function passageOf(
  { files, versions }: Places,
  { path, line_start, line_end }: Extract<Forgettable, { path: string }>,
): Promise<Passage> {
  const text = decodedText((await files.read(path))?.content);
  if (text === undefined)
    throw new AgentError("memory.not_found", `There is no text of memory called ${path}.`);
  const lines = text.split("\n").length;
  if (line_start < 1 || line_end < line_start || line_start > lines)
    throw new AgentError("memory.not_found", `${path} has the lines 1 to ${lines}.`);
  const version = await kept(versions, text);
  return { version, line_start, line_end };
}

/** In what files hold now, and in what they held; of what says the same, one. */
async function passagesHolding({ files, versions }: Places, wanted: string): Promise<Passage[]> {
  const seek = (text: string) => unitsHolding(unitsOf(text), wanted);
  for (const { path } of (await files.list()).files) {
    const text = isOfMemory(path) ? decodedText((await files.read(path))?.content) : undefined;
    if (text !== undefined && seek(text).length > 0) await kept(versions, text);
  }
  const passages: Passage[] = [];
  const known = new Set<string>();
  for (const { hash } of await versions.list()) {
    const readings = readingsOf(await versions.read(hash));
    for (const text of readings) {
      const found = seek(text).filter(({ same }) => !known.has(same));
      if (found.length === 0) continue;
      const version = readings.length === 1 ? hash : await kept(versions, text);
      for (const { same, line_start, line_end } of found) {
        known.add(same);
        passages.push({ version, line_start, line_end });
      }
    }
  }
  return passages;
}

function kept(versions: Places["versions"], text: string): Promise<string> {
  return versions.keep(new TextEncoder().encode(text));
}

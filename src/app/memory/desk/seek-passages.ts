import { createHash } from "node:crypto";
import { partitionOfPath } from "../../../memory/partitions.ts";
import { unitsHolding, unitsIn, unitsOf } from "../../../memory/entries/passages.ts";
import type { Unit } from "../../../memory/entries/stretches.ts";
import { isNamedAsText, readingsOf, decodedText } from "../../../memory/decoded-text.ts";
import type { MemoryFiles } from "../../../ports/memory-files.ts";
import type { MemoryVersions } from "../../../ports/memory-versions.ts";
import { AgentError } from "../../../schema/errors.ts";

/** What would go, so that a person can say yes to exactly that. */

type Places = {
  readonly files: Pick<MemoryFiles, "list" | "read">;
  readonly versions: Pick<MemoryVersions, "list" | "read">;
};

/** These lines of a file; or whatever holds this text, whatever the case of its letters. */
export type Forgettable =
  | { readonly path: string; readonly line_start: number; readonly line_end: number }
  | { readonly text: string };

export type Sought = {
  /** Of the files as they are now. */
  readonly passages: readonly SoughtPassage[];
  /** Kept versions that hold the same. */
  readonly earlierVersions: number;
  /** Of all this: with another one it is something else that would go. */
  readonly binding: string;
};

export type SoughtPassage = {
  readonly path: string;
  readonly line_start: number;
  readonly line_end: number;
  readonly text: string;
};

/** @throws AgentError memory.not_found */
export async function seekPassages(places: Places, what: Forgettable): Promise<Sought> {
  const seek = await wayToSeek(places, what);
  const { passages, present } = await presentPassages(places, seek);
  const earlier = await versionsHolding(places, seek, present);
  if (passages.length === 0 && earlier.length === 0) throw nothingThere(what);
  const binding = bindingOf(passages, earlier);
  return { passages, earlierVersions: earlier.length, binding };
}

type Seek = (text: string) => readonly Unit[];

/** What stands in these lines is sought wherever else it stands. */
async function wayToSeek({ files }: Places, what: Forgettable): Promise<Seek> {
  if ("text" in what) return (text) => unitsHolding(unitsOf(text), what.text);
  const { path } = what;
  const content = isOfMemory(path) ? (await files.read(path))?.content : undefined;
  const text = decodedText(content);
  if (text === undefined) throw noSuchText(path);
  const same = new Set(unitsIn(unitsOf(text), [what]).map((unit) => unit.same));
  return (other) => unitsOf(other).filter((unit) => same.has(unit.same));
}

/** Texts that are some agent's. */
export function isOfMemory(path: string): boolean {
  return isNamedAsText(path) && partitionOfPath(path) !== undefined;
}

type PresentPassages = {
  readonly passages: readonly SoughtPassage[];
  /** Hashes of all that files hold now. */
  readonly present: ReadonlySet<string>;
};

async function presentPassages({ files }: Places, seek: Seek): Promise<PresentPassages> {
  const passages: SoughtPassage[] = [];
  const present = new Set<string>();
  for (const { path } of (await files.list()).files) {
    if (!isOfMemory(path)) continue;
    const found = await files.read(path);
    const text = decodedText(found?.content);
    if (found === undefined || text === undefined) continue;
    present.add(found.hash);
    const lines = text.split(/\r?\n/);
    for (const unit of seek(text)) {
      const { line_start, line_end } = unit;
      const said = lines.slice(line_start - 1, line_end).join("\n");
      passages.push({ path, line_start, line_end, text: said });
    }
  }
  return { passages, present };
}

async function versionsHolding(
  { versions }: Places,
  seek: Seek,
  present: ReadonlySet<string>,
): Promise<string[]> {
  const holding: string[] = [];
  for (const { hash } of await versions.list()) {
    if (present.has(hash)) continue;
    const readings = readingsOf(await versions.read(hash));
    if (readings.some((text) => seek(text).length > 0)) holding.push(hash);
  }
  return holding.toSorted();
}

function noSuchText(path: string): AgentError {
  return new AgentError("memory.not_found", `There is no text of memory called ${path}.`, {
    hint: "`statehive memory show` lists them; `--text` looks for that as a text",
  });
}

function nothingThere(what: Forgettable): AgentError {
  const found =
    "text" in what ? "No memory holds that." : `Those lines of ${what.path} say nothing.`;
  return new AgentError("memory.not_found", found, {
    hint: "`statehive memory search` finds what is remembered, `statehive memory stats` says what is left out",
  });
}

function bindingOf(passages: readonly SoughtPassage[], earlier: readonly string[]): string {
  const all = [passages, earlier];
  return createHash("sha256").update(JSON.stringify(all)).digest("hex").slice(0, 32);
}

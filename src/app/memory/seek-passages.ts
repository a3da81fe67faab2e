import { createHash } from "node:crypto";
import { unitsHolding, unitsIn, unitsOf } from "../../memory/passages.ts";
import { isNamedAsText, textOf } from "../../memory/text-of.ts";
import type { MemoryFiles } from "../../ports/memory-files.ts";
import type { MemoryVersions } from "../../ports/memory-versions.ts";
import { AgentError } from "../../schema/errors.ts";

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

/** A file of memory as it is now, or a kept version. */
type Source = { readonly path: string; readonly hash: string; readonly text: string };

/** @throws AgentError memory.not_found */
export async function seekPassages(places: Places, what: Forgettable): Promise<Sought> {
  const now = await presentFiles(places);
  const versions = await keptVersions(places, new Set(now.map(({ hash }) => hash)));
  const same = new Set(
    [...now, ...versions].flatMap((source) => namedUnits(what, source)).map((unit) => unit.same),
  );
  const passages = now.flatMap((source) => passagesIn(source, same));
  const earlier = versions.filter(({ text }) => unitsOf(text).some((unit) => same.has(unit.same)));
  if (passages.length === 0 && earlier.length === 0) throw nothingThere(what);
  const binding = bindingOf(passages, earlier);
  return { passages, earlierVersions: earlier.length, binding };
}

async function presentFiles({ files }: Places): Promise<Source[]> {
  const sources: Source[] = [];
  for (const { path } of (await files.list()).files) {
    if (!isNamedAsText(path)) continue;
    const found = await files.read(path);
    const text = textOf(found?.content);
    if (found !== undefined && text !== undefined) sources.push({ path, hash: found.hash, text });
  }
  return sources;
}

/** They have no path. */
async function keptVersions({ versions }: Places, present: ReadonlySet<string>): Promise<Source[]> {
  const sources: Source[] = [];
  for (const { hash } of await versions.list()) {
    const text = present.has(hash) ? undefined : textOf(await versions.read(hash));
    if (text !== undefined) sources.push({ path: "", hash, text });
  }
  return sources;
}

function namedUnits(what: Forgettable, { path, text }: Source) {
  if ("text" in what) return unitsHolding(text, what.text);
  return path === what.path ? unitsIn(text, what) : [];
}

function passagesIn({ path, text }: Source, same: ReadonlySet<string>): SoughtPassage[] {
  const lines = text.split(/\r?\n/);
  return unitsOf(text)
    .filter((unit) => same.has(unit.same))
    .map(({ line_start, line_end }) => ({
      path,
      line_start,
      line_end,
      text: lines.slice(line_start - 1, line_end).join("\n"),
    }));
}

function nothingThere(what: Forgettable): AgentError {
  const found =
    "text" in what ? "No memory holds that." : `Those lines of ${what.path} say nothing.`;
  return new AgentError("memory.not_found", found, {
    hint: "`statehive memory search` finds what is remembered",
  });
}

function bindingOf(passages: readonly SoughtPassage[], earlier: readonly Source[]): string {
  const all = [passages, earlier.map(({ hash }) => hash).toSorted()];
  return createHash("sha256").update(JSON.stringify(all)).digest("hex").slice(0, 32);
}

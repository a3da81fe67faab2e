import { manyOthers, untrustedOf } from "../policy/origins.ts";
import type { CommittedReader, RowReader, RowWriter } from "../ports/store.ts";
import type { ExecuteToolOutput } from "../schema/activities.ts";
import { type FileOrigins, fileOriginTable } from "../schema/rows/file-origin-rows.ts";
import { relativePath } from "../schema/relative-path.ts";
import type { Query } from "../schema/rows/table.ts";
import type { Written } from "../tools/tool.ts";

/** Which files hold text of strangers: marked before a call can write them, so that no crash leaves one unmarked, and put right
 *  once the call has ended. Files without a row hold none. */

export type Writing = {
  readonly workspace: string;
  /** Files or directories that it reads. */
  readonly reads: readonly string[];
  readonly writes: readonly Written[];
  /** What strangers wrote that the run held when it asked for the call. */
  readonly known: readonly string[];
  /** Where a long output of the call would be kept, and what strangers wrote of that. */
  readonly kept: { readonly path: string; readonly untrusted: readonly string[] };
  readonly at: number;
};

type Store = RowReader & RowWriter;

export function markBefore(store: Store, { workspace, writes, known, kept, at }: Writing): void {
  for (const { path } of normal(writes)) addMark(store, { workspace, path, origins: known, at });
  addMark(store, { workspace, path: kept.path, origins: kept.untrusted, at });
}

/** What was replaced whole holds nothing of before. Elsewhere may stand all that the call brought: also what was written beside it,
 *  and what a person took the mark of while it worked. A kept output holds that too. */
export function markAfter(store: Store, writing: Writing, output: ExecuteToolOutput): void {
  const { workspace, writes, known, kept, at } = writing;
  const copied = untrustedOf(known, output.brings?.untrusted);
  for (const { path, isWhole } of normal(writes)) {
    if (isWhole && !output.is_error) markFile(store, { workspace, path, origins: known, at });
    else addMark(store, { workspace, path, origins: copied, at });
  }
  const isKept = output.output.includes(kept.path);
  const origins = isKept ? untrustedOf(kept.untrusted, output.brings?.untrusted) : [];
  if (isKept || kept.untrusted.length > 0)
    markFile(store, { workspace, path: kept.path, origins, at });
}

function addMark(store: Store, mark: FileOrigins): void {
  const before = store.get(fileOriginTable, mark.workspace, mark.path)?.origins ?? [];
  if (mark.origins.every((each) => before.includes(each))) return;
  store.put(fileOriginTable, { ...mark, origins: untrustedOf(before, mark.origins) });
}

/** From now on exactly this; without origins, none. */
export function markFile(store: Store, mark: FileOrigins): void {
  const { workspace, path, origins } = mark;
  if (origins.length > 0) store.put(fileOriginTable, mark);
  else if (store.get(fileOriginTable, workspace, path) !== undefined)
    store.remove(fileOriginTable, workspace, path);
}

function normal(writes: readonly Written[]): readonly Written[] {
  return writes.flatMap(({ path, isWhole }) => {
    const found = relativePath(path);
    return found.ok ? [{ path: found.path, isWhole }] : [];
  });
}

const mostMarks = 500;
/** The character after the `/` that ends a directory. */
const afterSlash = "0";

/** What strangers wrote of these files, or of any below where they are directories. Wants to be asked after they were read. */
export async function originsOf(
  read: CommittedReader,
  workspace: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const ofWorkspace = { index: "by_workspace", equals: [workspace] };
  const [any] = await read.select(fileOriginTable, { ...ofWorkspace, limit: 1 });
  if (any === undefined) return [];
  const queries = queriesFor(workspace, paths);
  return originsIn(await Promise.all(queries.map((query) => read.select(fileOriginTable, query))));
}

/** The same of what a call may copy, before it has begun. */
export function originsBefore(
  read: RowReader,
  workspace: string,
  paths: readonly string[],
): readonly string[] {
  const queries = queriesFor(workspace, paths);
  return originsIn(queries.map((query) => read.select(fileOriginTable, query)));
}

function queriesFor(workspace: string, paths: readonly string[]): readonly Query[] {
  const ofWorkspace = { index: "by_workspace", equals: [workspace], limit: mostMarks };
  return paths.flatMap(rangesOf).map((range) => ({ ...ofWorkspace, ...range }));
}

function originsIn(marks: readonly (readonly FileOrigins[])[]): readonly string[] {
  const isCut = marks.some(({ length }) => length === mostMarks);
  const found = marks.flat().flatMap(({ origins }) => origins);
  return untrustedOf(found, isCut ? [manyOthers] : []);
}

type Range = Pick<Query, "from" | "upTo" | "before">;

const anyFile: Range = { from: ".", upTo: "." };

function rangesOf(asked: string): readonly Range[] {
  const found = relativePath(asked);
  if (!found.ok) return [];
  const { path } = found;
  if (path === ".") return [{}];
  const below = { from: `${path}/`, before: `${path}${afterSlash}` };
  return [anyFile, { from: path, upTo: path }, below];
}

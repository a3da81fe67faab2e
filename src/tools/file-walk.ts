import { matchesSegments } from "../policy/glob.ts";
import type { FileEntry, Files } from "../ports/files.ts";
import { AgentError } from "../schema/errors.ts";
import { relativePath } from "../schema/relative-path.ts";
import { stopIfAborted } from "./abort.ts";

/** The files below a place, in the order of their paths, in bounded numbers. */

export type Walk = {
  readonly files: Files;
  readonly signal: AbortSignal;
  /** Directories of these names are passed over, unless the walk begins in one. */
  readonly passedOver: ReadonlySet<string>;
  readonly maxEntries: number;
};

export type WalkNotes = {
  /** Directories that were passed over. */
  readonly passed: string[];
  /** Links, special files and what could not be listed. */
  unread: number;
  isCut: boolean;
};

const maxDepth = 64;

type Step = { readonly path: string; readonly depth: number };

async function entriesIn(
  walk: Walk,
  path: string,
  notes: WalkNotes,
): Promise<readonly FileEntry[]> {
  try {
    const list = await walk.files.list(path, { depth: 1, maxEntries: walk.maxEntries });
    if (list.omitted > 0 || list.omittedAtLeast) notes.isCut = true;
    return list.entries;
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown;
    notes.unread += 1;
    return [];
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** What is to be done about an entry: a file is given, a directory is looked into. */
function sorted(entry: FileEntry, walk: Walk, notes: WalkNotes): "give" | "enter" | "pass" {
  if (entry.kind === "file") return "give";
  if (entry.kind !== "directory") {
    notes.unread += 1;
    return "pass";
  }
  if (!walk.passedOver.has(nameOf(entry.path))) return "enter";
  notes.passed.push(entry.path);
  return "pass";
}

/** Depth first; the files of a place itself when it is a file. */
export async function* walkFiles(
  walk: Walk,
  place: string,
  notes: WalkNotes,
): AsyncGenerator<string> {
  const waiting: (Step & { readonly isFile?: boolean })[] = [{ path: place, depth: 0 }];
  let seen = 0;
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    stopIfAborted(walk.signal);
    if (step.isFile === true) {
      yield step.path;
      continue;
    }
    const entries = await entriesIn(walk, step.path, notes);
    seen += entries.length;
    if (seen > walk.maxEntries || step.depth > maxDepth) {
      notes.isCut = true;
      continue;
    }
    const depth = step.depth + 1;
    const steps = entries.flatMap((entry) => {
      const what = sorted(entry, walk, notes);
      return what === "pass" ? [] : [{ path: entry.path, depth, isFile: what === "give" }];
    });
    waiting.push(...steps.toReversed());
  }
}

/** `*` stays within a name, `**` crosses directories; a glob without a slash is matched against the name alone. */
export function createGlob(glob: string | undefined, place: string): (path: string) => boolean {
  if (glob === undefined) return () => true;
  const wanted = glob.split("/").filter((segment) => segment !== "" && segment !== ".");
  const pattern = wanted.length > 1 ? wanted : ["**", ...wanted];
  const top = relativePath(place);
  const skipped = top.ok ? top.segments.length : 0;
  return (path) => matchesSegments(pattern, path.split("/").slice(skipped));
}

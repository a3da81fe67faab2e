import type { MemoryVersions } from "../../../ports/memory-versions.ts";
import type {
  ChangedFile,
  ChangeMemoryOutput,
  ForgottenRecalls,
  ForgottenTasks,
} from "../../../schema/activities.ts";
import type { ErrorData } from "../../../schema/errors.ts";
import type { JsonObject } from "../../../schema/json.ts";

/** How far a change has come, kept beside the versions: who begins again under the same key goes on from there. Holds no text. */
export type Progress = {
  /** Changes that are done, of those in the input. */
  done: number;
  readonly changed: ChangedFile[];
  rewritten: ChangeMemoryOutput["rewritten"][number][];
  /** Once what is forgotten is in no file any more. */
  recalls?: ForgottenRecalls;
  tasks?: ForgottenTasks;
  /** About to take a file's place; `name` null: the file is about to go. */
  pending: Pending | null;
  /** How it ended. */
  end: { readonly output: ChangeMemoryOutput } | { readonly error: ErrorData } | null;
};

export type Pending = { readonly name: string | null; readonly file: ChangedFile };

const prefix = "change-";

export function progressName(key: string): string {
  return `${prefix}${encodeURIComponent(key)}`;
}

export function isProgressName(name: string): boolean {
  return name.startsWith(prefix);
}

/** A note that a broken disk has cut, or that somebody else wrote, counts for none: what it told of is found in the files. */
export async function readProgress(versions: MemoryVersions, name: string): Promise<Progress> {
  const noted = await versions.noted(name);
  try {
    const progress: unknown = noted === undefined ? undefined : JSON.parse(noted);
    if (isProgress(progress)) return progress;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
  }
  return { done: 0, changed: [], rewritten: [], pending: null, end: null };
}

function isProgress(value: unknown): value is Progress {
  if (typeof value !== "object" || value === null) return false;
  const { done, changed, pending } = value as Partial<Progress>;
  return typeof done === "number" && Array.isArray(changed) && typeof pending === "object";
}

export function noteProgress(
  versions: MemoryVersions,
  name: string,
  progress: Progress,
): Promise<void> {
  return versions.note(name, JSON.stringify(progress));
}

/** What a failed change did before it failed stands in its error, for the rows. */
export function changedBefore(details: JsonObject | undefined): readonly ChangedFile[] {
  return (details?.["changed"] ?? []) as unknown as readonly ChangedFile[];
}

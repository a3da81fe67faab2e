import { decodedText } from "../../../memory/decoded-text.ts";
import type { MemoryFileBytes } from "../../../ports/memory-files.ts";
import type { ChangedFile } from "../../../schema/activities.ts";
import { AgentError } from "../../../schema/errors.ts";
import { editOf, keepUnseen, knownHash, requiredPartition } from "./keep-unseen.ts";
import { noteProgress, type Progress } from "./progress.ts";
import type { UnderWay } from "./under-way.ts";

/** How a file is replaced in a change that is being made. */

/** `text` is null where there is no file. */
export type Present = { readonly text: string | null; readonly hash: string | null };

const mostAttempts = 8;

/** What a file may be grown to by the service itself. */
export const largestBytes = 1_000_000;

/** Makes of what a file holds what it is to hold. @throws AgentError for what cannot be done */
export type Rewrite = (present: Present) => string | null;

/** Somebody may save it meanwhile: then their text is kept, and the change is made to that. */
export async function rewriteFile(change: UnderWay, path: string, rewrite: Rewrite): Promise<void> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    throwIfAborted(change.signal);
    const present = await presentOf(change, path);
    if (present === undefined) continue;
    const text = rewrite(present);
    if (text === present.text) return;
    if (await putText(change, { path, present, text })) return;
  }
  throw new AgentError(
    "memory.changed",
    `${path} was changed by somebody else each time it was about to be written.`,
    { hint: "Try again when nobody writes to it." },
  );
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AgentError("activity.aborted", "The change was stopped.");
}

type Putting = { readonly path: string; readonly present: Present; readonly text: string | null };

async function putText(change: UnderWay, { path, present, text }: Putting): Promise<boolean> {
  const { files, versions } = change.workshop;
  if (text === null) return removeFile(change, path, present);
  const content = new TextEncoder().encode(text);
  if (isGrown(change, content.length, present)) throw tooLarge(path, content.length);
  const after = await versions.keep(content);
  const name = await files.stage(path, content);
  const file = changedFile(change, { path, present, after, text, bytes: content.length });
  await pend(change, { name, file });
  const { isDone, late } = await files.replace(path, { name, expected: present.hash });
  if (!isDone) {
    await files.discard(path, name);
    change.progress.pending = null;
    return false;
  }
  await settlePending(change);
  if (late === undefined) return true;
  await giveWay(change, { path, after, late });
  return false;
}

/** Beyond what the service may write; what a person once had there is put back at any size. */
function isGrown({ input }: UnderWay, bytes: number, present: Present): boolean {
  return input.kind !== "restore" && bytes > largestBytes && bytes > bytesOf(present.text);
}

type Late = { readonly path: string; readonly after: string; readonly late: Uint8Array };

/** What somebody saved into the file that was replaced takes the place of what replaced it, so that the change is made to that. */
async function giveWay(change: UnderWay, { path, after, late }: Late): Promise<void> {
  const { files, versions } = change.workshop;
  const version = await versions.keep(late);
  const edit = { path, kind: "edit", before: after, after: version, bytes: late.length } as const;
  const file = await editOf(change, edit, late);
  const name = await files.stage(path, late);
  await pend(change, { name, file });
  const { isDone, late: later } = await files.replace(path, { name, expected: after });
  if (!isDone) await files.discard(path, name);
  await settlePending(change);
  if (later !== undefined) await giveWay(change, { path, after: version, late: later });
}

async function removeFile(change: UnderWay, path: string, present: Present): Promise<boolean> {
  const { hash } = present;
  if (hash === null) return true;
  const file = changedFile(change, { path, present, after: null, text: null, bytes: 0 });
  await pend(change, { name: null, file });
  const isGone = await change.workshop.files.remove(path, hash);
  if (isGone) await settlePending(change);
  else change.progress.pending = null;
  return isGone;
}

async function pend(
  { workshop, name, progress }: UnderWay,
  pending: NonNullable<Progress["pending"]>,
): Promise<void> {
  progress.pending = pending;
  await noteProgress(workshop.versions, name, progress);
}

async function settlePending({ workshop, name, progress }: UnderWay): Promise<void> {
  if (progress.pending !== null) progress.changed.push(progress.pending.file);
  progress.pending = null;
  await noteProgress(workshop.versions, name, progress);
}

/** Where an earlier attempt ended between its note and its end: a staged file that is gone has taken its place. */
export async function resumePending(change: UnderWay): Promise<void> {
  const { pending } = change.progress;
  if (pending === null) return;
  const { files } = change.workshop;
  const { path } = pending.file;
  const isDone =
    pending.name === null
      ? (await files.read(path)) === undefined
      : !(await files.isStaged(path, pending.name));
  if (isDone) return settlePending(change);
  if (pending.name !== null) await files.discard(path, pending.name);
  change.progress.pending = null;
}

/** What the file holds now; what nobody has seen of it before is kept first. Undefined: it was written meanwhile. */
async function presentOf(change: UnderWay, path: string): Promise<Present | undefined> {
  const found = await change.workshop.files.read(path);
  const text = found === undefined ? null : textIn(path, found);
  const hash = found?.hash ?? null;
  await keepUnseen(change, path, "edit");
  return (await knownHash(change, path)) === hash ? { text, hash } : undefined;
}

function textIn(path: string, { content, bytes }: MemoryFileBytes): string {
  if (content === null)
    throw new AgentError("memory.refused", `${path} is too large to be changed: ${bytes} bytes.`);
  const text = decodedText(content);
  if (text !== undefined) return text;
  throw new AgentError("memory.refused", `${path} is not UTF-8 text; it is left as it is.`, {
    hint: "Save it as UTF-8, or move it away.",
  });
}

type Changing = Putting & { readonly after: string | null; readonly bytes: number };

function changedFile(
  { workshop, input }: UnderWay,
  { path, present, after, text, bytes }: Changing,
): ChangedFile {
  return {
    path,
    partition: requiredPartition(path),
    kind: input.kind,
    before: present.hash,
    after,
    bytes,
    ...workshop.diff.count(present.text ?? "", text ?? ""),
  };
}

function bytesOf(text: string | null): number {
  return text === null ? 0 : new TextEncoder().encode(text).length;
}

function tooLarge(path: string, bytes: number): AgentError {
  return new AgentError(
    "memory.refused",
    `${path} would be ${bytes} bytes long; at most ${largestBytes} are written.`,
    { hint: "Take out what is not needed any more, or begin another file." },
  );
}

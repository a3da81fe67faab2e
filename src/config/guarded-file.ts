import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from "node:fs";
import { errnoOf } from "../schema/errno.ts";

/** Files and directories that decide what the service does: read only when nobody else can have written them. */

export type FileText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: FileReason };
export type FileReason = { readonly kind: "absent" | "refused"; readonly message: string };

export type Owned = { readonly mode: number; readonly uid: number };

const otherRead = 0o004;
const otherWrite = 0o002;
const sticky = 0o1000;

/** A secret belongs to this user and is not readable by all. `ownUid` is null where the system knows no users. */
export function secretProblem(stat: Owned, ownUid: number | null): string | null {
  if (ownUid === null) return null;
  if (stat.uid !== ownUid)
    return `belongs to another user (uid ${stat.uid}); chown it to the user who runs statehive`;
  return (stat.mode & (otherRead | otherWrite)) === 0
    ? null
    : "can be read by every user; run chmod 600 on it";
}

/** Configuration belongs to this user or to root and is not writable by all. */
export function configProblem(stat: Owned, ownUid: number | null): string | null {
  if (ownUid === null) return null;
  if (stat.uid !== ownUid && stat.uid !== 0) return `belongs to another user (uid ${stat.uid})`;
  const isOpen = (stat.mode & otherWrite) !== 0 && (stat.mode & sticky) === 0;
  return isOpen ? "can be written by every user; run chmod o-w on it" : null;
}

export type ReadOptions = {
  readonly maxBytes: number;
  readonly problem: (stat: Owned, ownUid: number | null) => string | null;
};

/** Judges and reads the same open file, so that it cannot be exchanged in between. Never waits on a pipe. */
export function readGuarded(path: string, options: ReadOptions): FileText {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (thrown) {
    return { ok: false, reason: openReason(thrown) };
  }
  try {
    return readOpen(descriptor, options);
  } finally {
    closeSync(descriptor);
  }
}

/** The names in a directory, sorted; none where it is absent or out of order, which `problem` then says. */
export type Listing = { readonly names: readonly string[]; readonly problem: string | null };

export function listGuarded(path: string): Listing {
  try {
    const stat = statSync(path);
    if (!stat.isDirectory()) return { names: [], problem: "is not a directory" };
    return { names: readdirSync(path).toSorted(), problem: configProblem(stat, ownUserId()) };
  } catch (thrown) {
    const { kind, message } = openReason(thrown);
    return { names: [], problem: kind === "absent" ? null : message };
  }
}

function ownUserId(): number | null {
  return process.getuid?.() ?? null;
}

function openReason(thrown: unknown): FileReason {
  const code = errnoOf(thrown) ?? "unknown";
  if (code === "ENOENT" || code === "ENOTDIR")
    return { kind: "absent", message: "there is no such file" };
  return { kind: "refused", message: `cannot be opened (${code})` };
}

function readOpen(descriptor: number, options: ReadOptions): FileText {
  const stat = fstatSync(descriptor);
  const problem = stat.isFile() ? options.problem(stat, ownUserId()) : "is not a regular file";
  if (problem !== null) return refused(problem);
  const bytes = readUpTo(descriptor, options.maxBytes + 1);
  if (bytes.length > options.maxBytes) return refused(`is larger than ${options.maxBytes} bytes`);
  try {
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return refused("is not UTF-8 text");
  }
}

function readUpTo(descriptor: number, limit: number): Uint8Array {
  const bytes = new Uint8Array(limit);
  let length = 0;
  let count = -1;
  while (count !== 0 && length < limit) {
    count = readSync(descriptor, bytes, length, limit - length, length);
    length += count;
  }
  return bytes.subarray(0, length);
}

function refused(message: string): FileText {
  return { ok: false, reason: { kind: "refused", message } };
}

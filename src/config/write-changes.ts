import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { errnoOf } from "../schema/errno.ts";
import { AgentError } from "../schema/errors.ts";
import { configProblem, readGuarded } from "./guarded-file.ts";

/** Puts new texts in the place of old ones: a reader sees the whole old or the whole new file, also after a crash. */

export type HomeChange = {
  /** Relative to the home. */
  readonly path: string;
  readonly text: string;
  /** What must stand there until it is written; null: no such file. */
  readonly before: string | null;
};

const largestBytes = 131_072;
const ownerOnly = 0o600;
/** A file of a change that was killed is taken over after this time. */
const abandonedAfterMs = 60_000;

/** @throws AgentError `config.changed`, `home.invalid` */
export function writeChanges(home: string, changes: readonly HomeChange[]): void {
  const waiting: Prepared[] = [];
  try {
    for (const change of changes) waiting.push(prepare(home, change));
    for (const one of waiting) checkUnchanged(one);
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      putInPlace(next);
      waiting.shift();
    }
  } catch (thrown) {
    if (thrown instanceof AgentError) throw thrown;
    throw new AgentError(
      "home.invalid",
      `${home}: the change cannot be written (${errnoOf(thrown) ?? "unknown"})`,
      { cause: thrown },
    );
  } finally {
    for (const { draft } of waiting) removeIfThere(draft);
  }
}

type Prepared = {
  readonly target: string;
  /** Beside the target; while it is there, no other change of the target begins. */
  readonly draft: string;
  readonly before: string | null;
};

function prepare(home: string, { path, text, before }: HomeChange): Prepared {
  const named = join(home, path);
  mkdirSync(dirname(named), { recursive: true, mode: 0o700 });
  const target = before === null ? named : realpathSync(named);
  const draft = join(dirname(target), `.${basename(target)}.change`);
  const descriptor = openDraft(draft, target);
  try {
    if (before !== null) keepOwner(descriptor, target);
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } catch (thrown) {
    removeIfThere(draft);
    throw thrown;
  } finally {
    closeSync(descriptor);
  }
  return { target, draft, before };
}

function openDraft(draft: string, target: string): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  try {
    return openSync(draft, flags, ownerOnly);
  } catch (thrown) {
    if (errnoOf(thrown) !== "EEXIST") throw thrown;
  }
  if (!isAbandoned(draft)) throw changed(target, "is being changed by somebody else");
  removeIfThere(draft);
  return openSync(draft, flags, ownerOnly);
}

function isAbandoned(draft: string): boolean {
  const stat = statSync(draft, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs >= abandonedAfterMs;
}

function keepOwner(descriptor: number, target: string): void {
  const { mode, uid, gid } = statSync(target);
  const own = fstatSync(descriptor);
  if (own.uid !== uid || own.gid !== gid) fchownSync(descriptor, uid, gid);
  fchmodSync(descriptor, mode & 0o777);
}

function checkUnchanged({ target, before }: Prepared): void {
  const now = readGuarded(target, { maxBytes: largestBytes, problem: configProblem });
  const text = now.ok ? now.text : null;
  const isAsBefore = now.ok || now.reason.kind === "absent" ? text === before : false;
  if (!isAsBefore)
    throw changed(target, before === null ? "is there already" : "was changed meanwhile");
}

/** A new file is linked, so that one that appeared in between is not replaced. Afterwards the draft's name is free: whatever has
 *  it then belongs to somebody else. */
function putInPlace({ target, draft, before }: Prepared): void {
  if (before === null) {
    linkSync(draft, target);
    unlinkSync(draft);
  } else {
    renameSync(draft, target);
  }
  const directory = openSync(dirname(target), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function changed(target: string, what: string): AgentError {
  return new AgentError("config.changed", `${target} ${what}; nothing was written`, {
    retryable: true,
    hint: "look at the file, then try again",
  });
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (thrown) {
    if (errnoOf(thrown) !== "ENOENT") throw thrown;
  }
}

import { hash } from "node:crypto";
import { posix } from "node:path";
import { type FileDigest, mostDigestedBytes, type SealedFile } from "../../ports/sandbox.ts";
import { AgentError } from "../../schema/errors.ts";
import { type WholeFile, wholeFileNow } from "../files/whole-file-now.ts";

/** Files of the workspace that commands run as code: what they hold, and that they still hold it. */

export type PlaceOfCommand = {
  /** As its real path on this machine. */
  readonly workspace: string;
  /** Under which path programs see the workspace. */
  readonly seenAt: string;
  /** Relative to the workspace. */
  readonly directory: string;
};

function below({ seenAt, directory }: PlaceOfCommand, path: string): string {
  if (!path.startsWith("/")) return directory === "." ? path : `${directory}/${path}`;
  return path.startsWith(`${seenAt}/`) ? path.slice(seenAt.length + 1) : path;
}

function found(place: PlaceOfCommand, path: string): WholeFile | AgentError {
  try {
    return wholeFileNow(place.workspace, below(place, path), mostDigestedBytes);
  } catch (thrown) {
    if (thrown instanceof AgentError) return thrown;
    throw thrown;
  }
}

const absences: readonly string[] = ["file.not_found", "file.outside"];

export function digestOf(place: PlaceOfCommand, path: string): FileDigest {
  const file = found(place, path);
  if (!(file instanceof AgentError)) return { kind: "file", sha256: hash("sha256", file.bytes) };
  return absences.includes(file.code)
    ? { kind: "absent" }
    : { kind: "unfit", reason: file.message };
}

export function hasChanged(path: string): AgentError {
  return new AgentError(
    "tool.failed",
    `${path} has changed since the command was allowed, so nothing was begun.`,
  );
}

/** @throws AgentError tool.failed: it holds something else by now */
export function sealedContent(place: PlaceOfCommand, { path, sha256 }: SealedFile): WholeFile {
  const file = found(place, path);
  if (file instanceof AgentError || hash("sha256", file.bytes) !== sha256) throw hasChanged(path);
  return file;
}

/** Where a program finds the file, as an absolute path. */
export function seenPath({ seenAt, directory }: PlaceOfCommand, path: string): string {
  return posix.resolve(seenAt, directory, path);
}

import { errnoOf } from "../../schema/errno.ts";
import { AgentError } from "../../schema/errors.ts";
import { relativePath } from "../../schema/relative-path.ts";

const refusals: Readonly<Record<string, string>> = {
  EACCES: "permission is missing",
  EPERM: "permission is missing",
  ELOOP: "it is a link",
  EROFS: "the file system is read-only",
  EISDIR: "it is a directory",
  ENOTDIR: "it is not a directory",
  ENAMETOOLONG: "a name in it is too long",
  ENXIO: "it is a special file",
  ETXTBSY: "it is being executed",
};

/** The segments of a path that stays inside. */
export function segmentsOf(path: string): readonly string[] {
  const checked = relativePath(path);
  if (checked.ok) return checked.segments;
  throw new AgentError("file.outside", checked.message, {
    hint: "Use a path relative to the workspace.",
  });
}

export function refused(path: string, why: string): AgentError {
  return new AgentError("file.refused", `${path} cannot be used: ${why}.`);
}

export function notFound(path: string): AgentError {
  return new AgentError("file.not_found", `There is no ${path}.`);
}

/** What the operating system said about `path`, in the port's codes. */
export function fileError(path: string, thrown: unknown): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const errno = errnoOf(thrown);
  if (errno === "ENOENT") return notFound(path);
  const refusal = refusals[errno ?? ""];
  if (refusal !== undefined) return refused(path, refusal);
  return new AgentError("tool.failed", `${path}: ${errno ?? String(thrown)}.`, {
    cause: thrown,
  });
}

import { isWellFormed } from "./text/well-formed.ts";

/** A path inside an agent's files. `.` names the root; nothing in it is decoded or expanded, a backslash is a letter. */
export type RelativePath =
  | { readonly ok: true; readonly path: string; readonly segments: readonly string[] }
  | { readonly ok: false; readonly message: string };

export const maxPathCharacters = 4096;

function refused(message: string): RelativePath {
  return { ok: false, message };
}

/** Brings a path to its one normal form, so that what policy judges is what the files' adapter opens.
 *  `..` is resolved as text, which is sound because the adapter follows no link. */
export function relativePath(path: string): RelativePath {
  if (path === "") return refused("The path is empty.");
  if (path.length > maxPathCharacters)
    return refused(`The path is longer than ${maxPathCharacters} characters.`);
  if (path.includes("\0")) return refused("The path contains a NUL character.");
  if (!isWellFormed(path)) return refused("The path is not valid Unicode.");
  if (path.startsWith("/"))
    return refused(`${path} is absolute; paths are relative to the workspace.`);
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return refused(`${path} leads outside the workspace.`);
  }
  return { ok: true, path: segments.length === 0 ? "." : segments.join("/"), segments };
}

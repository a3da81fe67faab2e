import { pinOf } from "../policy/pin.ts";
import type { Reach } from "../policy/shell-grant.ts";
import { visibleText } from "../policy/visible-text.ts";
import type { GrantTerms } from "./tool.ts";
import { filesInWords, type PreparedCommand, type WatchedFile } from "./shell-prepared.ts";

/** What a person may grant beyond one command, as a hash for the policy and in words for the person. */

const mostNamedFiles = 4;

export function termsOf(command: PreparedCommand): GrantTerms {
  const only = onlyThisCall(command);
  return only === undefined ? granted(command) : { onlyThisCall: only };
}

/** Why nothing beyond this call can be granted. */
function onlyThisCall({ reach, watched, isWatchedInPart }: PreparedCommand): string | undefined {
  if (reach.kind === "this_call") return visibleText(reach.why);
  const unfit = watched.map(({ digest }) => digest).find((digest) => digest.kind === "unfit");
  if (unfit !== undefined) return visibleText(unfit.reason.replace(/\.$/, ""));
  if (isWatchedInPart) return "it names more files than can be watched for changes";
  const wanted = wantedFiles(reach);
  const isThere = wanted.length === 0 || filesAmong(watched).some((word) => wanted.includes(word));
  return isThere ? undefined : `there is no ${wanted.join(" or ")} in its directory`;
}

/** Of these one must be there for the command to mean anything. */
function wantedFiles(reach: Exclude<Reach, { readonly kind: "this_call" }>): readonly string[] {
  if (reach.kind === "same_words") return reach.oneOf;
  return reach.script === undefined ? [] : [reach.script];
}

function filesAmong(watched: readonly WatchedFile[]): readonly string[] {
  return watched.filter(({ digest }) => digest.kind === "file").map(({ word }) => word);
}

function granted({ reach, read, program, directory, watched }: PreparedCommand): GrantTerms {
  const isExact = reach.kind === "same_words";
  const words = isExact && read.kind === "argv" ? read.argv.slice(1) : null;
  const files = filesAmong(watched);
  const extent = isExact ? "exactly this command" : "with any further arguments";
  const where = directory === "." ? "the workspace" : visibleText(directory);
  return {
    pin: pinOf({ program, directory, words }, filesInWords(watched)),
    terms: `${extent}, run in ${where}${whileUnchanged(files)}`,
    ...(files.length === 0 ? {} : { changed: `${changedFiles(files)} since it was allowed` }),
  };
}

function whileUnchanged(files: readonly string[]): string {
  if (files.length === 0) return "";
  if (files.length === 1) return `, while ${files[0]} stays as it is`;
  const names =
    files.length > mostNamedFiles ? `the ${files.length} files that it names` : files.join(", ");
  return `, while ${names} stay as they are`;
}

function changedFiles(files: readonly string[]): string {
  return files.length === 1
    ? `${files[0]} has changed`
    : "One of the files that it names has changed";
}

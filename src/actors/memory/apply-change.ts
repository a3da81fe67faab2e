import { withEntries } from "../../memory/append-entries.ts";
import { parseEntries } from "../../memory/entries.ts";
import { momentOf } from "../../memory/moment.ts";
import { isNamedAsText, textOf } from "../../memory/text-of.ts";
import { targetFile } from "../../memory/target-file.ts";
import { AgentError } from "../../schema/errors.ts";
import type { FileChange } from "../../schema/memory.ts";
import { memoryChangeTable } from "../../schema/memory-rows.ts";
import { type Rewrite, rewriteFile } from "./change-under-way.ts";
import { forgetPassages } from "./forget-passages.ts";
import { observe } from "./keep-unseen.ts";
import type { UnderWay } from "./under-way.ts";

/** What each kind of change does to which file. */

type Of<Op extends FileChange["op"]> = Extract<FileChange, { op: Op }>;

export function applyChange(change: UnderWay, asked: FileChange): Promise<void> {
  switch (asked.op) {
    case "append":
      return append(change, asked);
    case "replace":
      return rewriteFile(named(asked.path, change), asked.path, expecting(asked, asked.text));
    case "use":
      return useVersion(change, asked);
    case "undo":
      return undo(change, asked);
    case "forget":
      return forgetPassages(change, asked);
    case "observe":
      return observe(change, asked);
  }
}

function named(path: string, change: UnderWay): UnderWay {
  if (isNamedAsText(path)) return change;
  throw new AgentError(
    "memory.refused",
    `${path} is not named as a text; memories are in .md files.`,
  );
}

const longestEntry = 4_000;
/** Of one day and partition: more than anybody reads, and a loop that writes ends here. */
const mostEntriesOfDay = 500;

async function append(
  change: UnderWay,
  { partition, target, entries, at }: Of<"append">,
): Promise<void> {
  const moment = momentOf(at, change.workshop.timeZone);
  const file = targetFile(partition, target, moment);
  if (file === undefined) throw badTarget(target);
  const long = entries.find(({ text }) => text.length > longestEntry);
  if (long !== undefined)
    throw new AgentError(
      "memory.refused",
      `A memory has at most ${longestEntry} characters, and this one ${long.text.length}.`,
      { hint: "Say it in fewer words, or in several memories." },
    );
  if (entries.some(({ text }) => text.trim() === ""))
    throw new AgentError("memory.refused", "A memory needs a text.");
  const { path, heading } = file;
  await rewriteFile(change, path, ({ text }) => {
    const grown = withEntries(text, { heading, entries, at: file.at });
    if (target.to === "daily" && grown !== text) refuseTooMany(path, grown);
    return grown;
  });
}

function refuseTooMany(path: string, text: string): void {
  if (parseEntries(text).length <= mostEntriesOfDay) return;
  throw new AgentError(
    "memory.refused",
    `${path} would have more than ${mostEntriesOfDay} memories of one day.`,
    {
      hint: "Keep what lasts in MEMORY.md, or take out what is not needed any more.",
    },
  );
}

function badTarget(target: Of<"append">["target"]): AgentError {
  const name = target.to === "shared" ? target.concept.slice(0, 80) : target.to;
  return new AgentError("memory.refused", `${JSON.stringify(name)} cannot name a concept.`, {
    hint: "Use lower-case letters, digits and -, such as release-process.",
  });
}

/** @param text what the file is to hold, where it holds what is expected */
function expecting(
  { path, expected }: { readonly path: string; readonly expected?: string | null },
  text: string | null,
): Rewrite {
  return ({ hash }) => {
    if (expected === undefined || hash === expected) return text;
    throw new AgentError("memory.changed", `${path} holds something else by now.`, {
      hint: "Look at it again, and decide anew.",
    });
  };
}

async function useVersion(change: UnderWay, asked: Of<"use">): Promise<void> {
  const { path, version } = asked;
  const text = await keptText(change, version, (why) => {
    const name = String(version).slice(0, 12);
    return new AgentError("memory.not_found", `The version ${name} ${why}.`);
  });
  await rewriteFile(named(path, change), path, expecting(asked, text));
}

async function keptText(
  { workshop }: UnderWay,
  version: string | null,
  refuse: (why: string) => AgentError,
): Promise<string | null> {
  if (version === null) return null;
  const content = await workshop.versions.read(version);
  const text = textOf(content);
  if (text !== undefined) return text;
  throw refuse(content === undefined ? "is not kept any more" : "is no text");
}

async function undo(change: UnderWay, { change_id, whole }: Of<"undo">): Promise<void> {
  const row = await change.read.get(memoryChangeTable, change_id);
  if (row === undefined)
    throw new AgentError("memory.not_found", `There is no change ${change_id}.`);
  const textAt = (when: "before" | "after") =>
    keptText(change, row[when], (why) => {
      const [alone, options] = when === "after" ? [" alone", { hint: wholeHint }] : ["", {}];
      const message = `${change_id} cannot be taken back${alone}: what ${row.path} held ${when} it ${why}.`;
      return new AgentError("memory.not_found", message, options);
    });
  const before = await textAt("before");
  if (whole) return rewriteFile(change, row.path, () => before);
  const after = await textAt("after");
  await rewriteFile(change, row.path, ({ text }) => {
    if (text === after) return before;
    const undone = change.workshop.diff.undo(text ?? "", {
      before: before ?? "",
      after: after ?? "",
    });
    if (undone !== undefined) return undone === "" ? null : undone;
    throw new AgentError(
      "memory.changed",
      `Later changes of ${row.path} touch the same lines as ${change_id}, so it cannot be taken back alone.`,
      { hint: wholeHint },
    );
  });
}

const wholeHint = "With --whole the file becomes what it was before that change.";

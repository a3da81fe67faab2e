import { withEntries } from "../../memory/append-entries.ts";
import { parseEntries } from "../../memory/entries.ts";
import { momentOf } from "../../memory/moment.ts";
import { isNamedAsText } from "../../memory/text-of.ts";
import { targetFile } from "../../memory/target-file.ts";
import { AgentError } from "../../schema/errors.ts";
import type { FileChange } from "../../schema/memory.ts";
import { type Rewrite, rewriteFile } from "./rewrite-file.ts";
import { forgetPassages } from "./forget-passages.ts";
import { keptText } from "./kept-text.ts";
import { observe } from "./keep-unseen.ts";
import { takeBack } from "./take-back.ts";
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
      return takeBack(change, asked);
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

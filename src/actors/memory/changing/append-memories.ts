import { withEntries } from "../../../memory/entries/append-entries.ts";
import { parseEntries } from "../../../memory/entries/entries.ts";
import { momentOf } from "../../../memory/moment.ts";
import { personBeyondShare } from "../../../memory/entries/share-of-person.ts";
import { targetFile } from "../../../memory/entries/target-file.ts";
import { AgentError } from "../../../schema/errors.ts";
import type { FileChange, MemoryTarget } from "../../../schema/memory.ts";
import { largestBytes, rewriteFile } from "./rewrite-file.ts";
import type { UnderWay } from "./under-way.ts";

/** New memories at the end of their file, as far as there is room for them. */

const longestEntry = 4_000;
/** Of one day and partition: more than anybody reads, and a loop that writes ends here. */
const mostEntriesOfDay = 500;

export async function appendMemories(
  change: UnderWay,
  { partition, target, entries, at }: Extract<FileChange, { op: "append" }>,
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
    if (grown !== text) refuseTooMuch(path, grown, target);
    return grown;
  });
}

function refuseTooMuch(path: string, text: string, { to }: MemoryTarget): void {
  if (to === "daily" && parseEntries(text).length > mostEntriesOfDay)
    throw tooMuch(`${path} would have more than ${mostEntriesOfDay} memories of one day.`, to);
  const room = { bytes: largestBytes, ...(to === "daily" ? { entries: mostEntriesOfDay } : {}) };
  const person = personBeyondShare(text, room);
  if (person === undefined) return;
  throw tooMuch(
    `${path} has no more room for what ${person} says: one person may fill half of what all others leave of it.`,
    to,
  );
}

function tooMuch(what: string, to: MemoryTarget["to"]): AgentError {
  const hint =
    to === "daily"
      ? "Keep what lasts in MEMORY.md, or take out what is not needed any more."
      : "Take out what is not needed any more.";
  return new AgentError("memory.refused", what, { hint });
}

function badTarget(target: MemoryTarget): AgentError {
  const name = target.to === "shared" ? target.concept.slice(0, 80) : target.to;
  return new AgentError("memory.refused", `${JSON.stringify(name)} cannot name a concept.`, {
    hint: "Use lower-case letters, digits and -, such as release-process.",
  });
}

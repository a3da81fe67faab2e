import { sameness } from "../../../memory/entries/entries.ts";
import { partitionOfPath } from "../../../memory/partitions.ts";
import { unitsHolding, unitsIn, unitsOf, without } from "../../../memory/entries/passages.ts";
import { inOneLine } from "../../../memory/entries/stretches.ts";
import { isNamedAsText, readingsOf, decodedText } from "../../../memory/decoded-text.ts";
import type { FileChange, Passage } from "../../../schema/memory.ts";
import { rewriteFile } from "../changing/rewrite-file.ts";
import { recallsHolding } from "./forget-recalls.ts";
import { tasksHolding, unframed } from "./forget-tasks.ts";
import { noteProgress } from "../changing/progress.ts";
import type { UnderWay } from "../changing/under-way.ts";

type Forgetting = Extract<FileChange, { op: "forget" }>;

/** Takes what stands in these passages out of every file and every kept version. The versions that hold it go last: whoever begins
 *  again reads in them what is to be forgotten. */
export async function forgetPassages(change: UnderWay, asked: Forgetting): Promise<void> {
  const { text } = asked;
  const { progress, workshop } = change;
  if (progress.rewritten.length === 0) {
    const forgotten = await unitsToForget(change, asked);
    await forgetInFiles(change, forgotten);
    progress.rewritten = await rewriteVersions(change, forgotten);
    const said = saidOf(text === undefined ? forgotten : [...forgotten, sameness(text)]);
    progress.recalls = await recallsHolding(change.read, said);
    progress.tasks = await tasksHolding(change.read, said);
    await noteProgress(workshop.versions, change.name, progress);
  }
  for (const { from } of progress.rewritten) await workshop.versions.remove(from);
}

/** What says nothing but marks is of every text. */
function saidOf(forgotten: Iterable<string>): Set<string> {
  return new Set(
    [...forgotten].map((same) => unframed(inOneLine(same))).filter((same) => same !== ""),
  );
}

async function unitsToForget(
  { workshop }: UnderWay,
  { passages, text: wanted }: Forgetting,
): Promise<Set<string>> {
  const forgotten = new Set<string>();
  for (const [version, ofVersion] of byVersion(passages)) {
    const text = decodedText(await workshop.versions.read(version));
    if (text === undefined) continue;
    const units = unitsOf(text);
    const named = wanted === undefined ? unitsIn(units, ofVersion) : unitsHolding(units, wanted);
    for (const { same } of named) forgotten.add(same);
  }
  return forgotten;
}

function byVersion(passages: readonly Passage[]): ReadonlyMap<string, readonly Passage[]> {
  const found = new Map<string, Passage[]>();
  for (const passage of passages) {
    const others = found.get(passage.version);
    if (others === undefined) found.set(passage.version, [passage]);
    else others.push(passage);
  }
  return found;
}

async function forgetInFiles(change: UnderWay, forgotten: ReadonlySet<string>): Promise<void> {
  if (forgotten.size === 0) return;
  const { files } = await change.workshop.files.list();
  for (const { path } of files) {
    if (!isNamedAsText(path) || partitionOfPath(path) === undefined) continue;
    if (!(await holds(change, path, forgotten))) continue;
    await rewriteFile(change, path, ({ text }) => emptied(text ?? "", forgotten));
  }
}

async function holds(
  { workshop }: UnderWay,
  path: string,
  forgotten: ReadonlySet<string>,
): Promise<boolean> {
  const text = decodedText((await workshop.files.read(path))?.content);
  return text !== undefined && without(text, forgotten) !== text;
}

/** A file with nothing in it but blanks goes. */
function emptied(text: string, forgotten: ReadonlySet<string>): string | null {
  const rest = without(text, forgotten);
  return rest.trim() === "" ? null : rest;
}

async function rewriteVersions(
  { workshop }: UnderWay,
  forgotten: ReadonlySet<string>,
): Promise<UnderWay["progress"]["rewritten"]> {
  const { versions } = workshop;
  const rewritten: UnderWay["progress"]["rewritten"] = [];
  for (const { hash } of await versions.list()) {
    for (const text of readingsOf(await versions.read(hash))) {
      const rest = without(text, forgotten);
      if (rest === text) continue;
      rewritten.push({ from: hash, to: await versions.keep(new TextEncoder().encode(rest)) });
      break;
    }
  }
  return rewritten;
}

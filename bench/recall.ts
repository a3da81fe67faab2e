import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  createBuiltinEmbedder,
  isBuiltinInstalled,
} from "../src/adapters/embedder/builtin-embedder.ts";
import { readConversations, type ReadConversations } from "./support/conversations.ts";
import { printTable } from "./support/measure.ts";
import { depths, type Recall } from "./support/recall.ts";
import { compareModes } from "./support/recall-modes.ts";

/** What searches of memory find in long conversations: `--file PATH` is a file in the shape of LoCoMo's, `--words` leaves vectors out. */

const usage =
  "usage: npm run bench -- recall --file <conversations in LoCoMo's JSON shape> [--words]";

const { file, words } = givenOptions();
if (file === undefined) fail(usage, 2);
else await measure(file);

function givenOptions(): {
  readonly file?: string | undefined;
  readonly words?: boolean | undefined;
} {
  try {
    return parseArgs({ options: { file: { type: "string" }, words: { type: "boolean" } } }).values;
  } catch (error) {
    return fail((error as Error).message, 2) ?? {};
  }
}

async function measure(path: string): Promise<void> {
  const read = readOrFail(path);
  if (read === undefined) return;
  const { conversations, dropped } = read;
  console.log(summaryOf(read));
  if (dropped.length > 0)
    console.log(`evidence that names no turn, left out: ${dropped.join(", ")}`);
  const hasVectors = words !== true && isBuiltinInstalled();
  if (words !== true && !hasVectors)
    console.log("the built-in embedder is not installed: words alone");
  const embedder = hasVectors ? createBuiltinEmbedder() : null;
  const reports = await compareModes(conversations, embedder);
  await embedder?.close();
  const heads = depths.map((depth) => `@${depth}`);
  for (const [mode, { overall, byCategory }] of reports) {
    console.log(`\n${mode}`);
    const rows = [...byCategory].filter(([, { questions }]) => questions > 0);
    printTable([
      ["recall", "questions", ...heads],
      ...rows.map(([name, recall]) => [name, ...cellsOf(recall)]),
      ["all", ...cellsOf(overall)],
    ]);
  }
}

function readOrFail(path: string): ReadConversations | undefined {
  try {
    return readConversations(readFileSync(path, "utf8"));
  } catch (error) {
    return fail(`${path}: ${(error as Error).message}`, 1);
  }
}

function fail(message: string, exitCode: number): undefined {
  console.error(message);
  process.exitCode = exitCode;
}

function summaryOf({ conversations }: ReadConversations): string {
  const turns = conversations.flatMap(({ sessions }) => sessions.flatMap((each) => each.turns));
  const questions = conversations.flatMap((each) => each.questions);
  return `${conversations.length} conversations, ${turns.length} turns, ${questions.length} questions`;
}

function cellsOf({ questions, at }: Recall): string[] {
  return [String(questions), ...at.map((share) => share.toFixed(1))];
}

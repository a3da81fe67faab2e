import { z } from "zod";
import { pathCapability } from "../policy/capability.ts";
import { origin } from "../policy/origins.ts";
import { visibleText } from "../policy/visible-text.ts";
import type { Files } from "../ports/files.ts";
import { AgentError } from "../schema/errors.ts";
import { maxPathCharacters } from "../schema/relative-path.ts";
import { createGlob, walkFiles, type WalkNotes } from "./file-walk.ts";
import { stopIfAborted } from "./abort.ts";
import { createMatcher, linesWith } from "./text-search.ts";
import type { ToolContext } from "./tool.ts";
import { defineTool } from "./tool.ts";
import { readText, type TextRead } from "./whole-text.ts";

const maxPatternCharacters = 500;
const maxGlobCharacters = 500;
const maxShownLines = 200;
const maxShownCharacters = 30_000;
const maxFileBytes = 4 * 1024 * 1024;
const maxTotalBytes = 256 * 1024 * 1024;
const maxEntries = 20_000;
const passedOver = new Set([".git", "node_modules"]);

type Tally = {
  readonly shown: string[];
  shownCharacters: number;
  found: number;
  foundFiles: number;
  searched: number;
  readCharacters: number;
  binary: number;
  large: number;
  forbidden: number;
  unread: number;
};

type Search = { readonly find: (line: string) => number; readonly tally: Tally };

function emptyTally(): Tally {
  return {
    shown: [],
    shownCharacters: 0,
    found: 0,
    foundFiles: 0,
    searched: 0,
    readCharacters: 0,
    binary: 0,
    large: 0,
    forbidden: 0,
    unread: 0,
  };
}

function add(tally: Tally, line: string): void {
  tally.found += 1;
  if (tally.shown.length >= maxShownLines) return;
  if (tally.shownCharacters + line.length > maxShownCharacters) return;
  tally.shown.push(line);
  tally.shownCharacters += line.length;
}

/** A file may be gone, or have become something else, since it was listed. */
async function readIfThere(path: string, files: Files): Promise<TextRead | undefined> {
  try {
    return await readText(files, path, maxFileBytes);
  } catch (thrown) {
    if (thrown instanceof AgentError && thrown.code.startsWith("file.")) return undefined;
    throw thrown;
  }
}

async function searchFile(path: string, { find, tally }: Search, context: ToolContext) {
  const read = await readIfThere(path, context.files);
  if (read === undefined) {
    tally.unread += 1;
    return;
  }
  if (read.kind === "binary") tally.binary += 1;
  if (read.kind === "too_large") tally.large += 1;
  if (read.kind !== "text") return;
  tally.searched += 1;
  tally.readCharacters += read.text.length;
  const lines = linesWith(read.text, find);
  if (lines.length > 0) tally.foundFiles += 1;
  for (const { line, text } of lines) add(tally, `${visibleText(path)}:${line}: ${text}`);
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function notesOn(tally: Tally, walk: WalkNotes): readonly string[] {
  const passed = walk.passed.map(visibleText);
  const unread = walk.unread + tally.unread;
  const notes: (readonly [boolean, string])[] = [
    [
      tally.found > tally.shown.length,
      `${tally.found - tally.shown.length} more lines are not shown`,
    ],
    [tally.binary > 0, `${counted(tally.binary, "file")} not in UTF-8 skipped`],
    [tally.large > 0, `${counted(tally.large, "file")} over ${maxFileBytes} bytes skipped`],
    [tally.forbidden > 0, `${counted(tally.forbidden, "file")} that you may not read skipped`],
    [unread > 0, `${counted(unread, "link or special file", "links or special files")} skipped`],
    [
      passed.length > 0,
      `not looked into: ${passed.slice(0, 5).join(", ")}${passed.length > 5 ? ", …" : ""}`,
    ],
    [walk.isCut, "there are too many files, not all were searched; name a directory or a glob"],
  ];
  return notes.filter(([applies]) => applies).map(([, note]) => note);
}

function render(tally: Tally, walk: WalkNotes): string {
  const where = `${counted(tally.searched, "file")} searched`;
  const what =
    tally.found === 0
      ? "nothing found"
      : `${counted(tally.found, "line")} in ${counted(tally.foundFiles, "file")}`;
  const summary = `[${[`${what}, ${where}`, ...notesOn(tally, walk)].join("; ")}]`;
  return tally.found === 0 ? summary : `${tally.shown.join("\n")}\n\n${summary}`;
}

export const fileSearchTool = defineTool({
  name: "file_search",
  description: {
    what: "Finds the lines of text files in your workspace that hold a text.",
    usage:
      "`pattern` is literal text within one line, not a regular expression. Written in small letters it finds capitals too; with " +
      "a capital in it, case counts. `path` is a directory or a file relative to the workspace; without it the whole workspace is " +
      "searched. `glob` limits the files: `*.md` by name, `src/**/*.ts` by path below `path`; `*` stays within a name. Each " +
      `line of the result is path:line: text, sorted by path, at most ${maxShownLines} lines; the last one, in brackets, counts ` +
      "what was found and what was skipped. Directories called .git and node_modules are looked into only when `path` leads there.",
    examples: [
      { input: { pattern: "todo" }, means: "every TODO and todo in the workspace" },
      {
        input: { pattern: "createServer(", path: "src", glob: "*.ts" },
        means: "the calls of one function in the TypeScript files below src",
      },
    ],
    notFor: "Not for file names (use file_list) and not for text over several lines.",
  },
  input: {
    pattern: z
      .string()
      .min(1)
      .max(maxPatternCharacters)
      .regex(/^[^\n\r]*$/, { error: "a pattern is found within one line and has no line break" })
      .describe("The text to find."),
    path: z
      .string()
      .min(1)
      .max(maxPathCharacters)
      .optional()
      .describe("Where to search, relative to the workspace."),
    glob: z.string().min(1).max(maxGlobCharacters).optional().describe("Which files to search."),
  },
  risk: "safe",
  recovery: "repeat",
  capabilities: ({ path = "." }) => [pathCapability("fs.read", path)],
  summary: ({ pattern, path = "." }) => `Search ${visibleText(path)} for ${visibleText(pattern)}`,
  brings: ({ path = "." }) => ({ private: [origin("file", path)], reads: [path] }),
  async run({ pattern, path = ".", glob }, context) {
    const { files, signal, mayRead } = context;
    stopIfAborted(signal);
    const tally = emptyTally();
    const search: Search = { find: createMatcher(pattern), tally };
    const notes: WalkNotes = { passed: [], unread: 0, isCut: false };
    const { kind } = await files.stat(path);
    if (kind === "file") {
      await searchFile(path, search, context);
      return render(tally, notes);
    }
    const isWanted = createGlob(glob, path);
    for await (const file of walkFiles({ files, signal, passedOver, maxEntries }, path, notes)) {
      if (!isWanted(file)) continue;
      if (tally.readCharacters > maxTotalBytes) notes.isCut = true;
      else if (mayRead(file)) await searchFile(file, search, context);
      else tally.forbidden += 1;
    }
    return render(tally, notes);
  },
});

import { z } from "zod";
import { pathCapability } from "../policy/capability.ts";
import { origin } from "../policy/origins.ts";
import { visibleText } from "../policy/visible-text.ts";
import { AgentError } from "../schema/errors.ts";
import { maxPathCharacters } from "../schema/relative-path.ts";
import { stopIfAborted } from "./abort.ts";
import type { LineWindow } from "./line-window.ts";
import { createWindowReader } from "./line-window.ts";
import { looksBinary } from "./looks-binary.ts";
import { readableLine } from "./shown-output.ts";
import type { ToolContext } from "./tool.ts";
import { defineTool } from "./tool.ts";

const defaultLines = 2000;
const maxLines = 10_000;
const maxCharacters = 100_000;
/** Beyond the shown lines the rest is read only to count it; a larger rest is not worth the time. */
const maxCountedBytes = 256 * 1024 * 1024;

type Range = { readonly path: string; readonly first: number; readonly count: number };
type Reading = LineWindow & { readonly countedToEnd: boolean; readonly isEmpty: boolean };

function notText(path: string): AgentError {
  return new AgentError("file.binary", `${visibleText(path)} is not a text file.`);
}

async function readLines(range: Range, { files, signal }: ToolContext): Promise<Reading> {
  const reader = createWindowReader({ ...range, maxLineCharacters: readableLine, maxCharacters });
  let seen = 0;
  let counted = 0;
  for await (const chunk of files.chunks(range.path)) {
    stopIfAborted(signal);
    if (seen === 0 && looksBinary(chunk)) throw notText(range.path);
    seen += chunk.length;
    if (reader.isFull()) counted += chunk.length;
    reader.push(chunk);
    if (counted > maxCountedBytes) break;
  }
  const countedToEnd = counted <= maxCountedBytes;
  return { ...reader.end(), countedToEnd, isEmpty: seen === 0 };
}

function notesOn(reading: Reading, range: Range): readonly string[] {
  const notes: string[] = [];
  const last = range.first + reading.lines.length - 1;
  const total = reading.countedToEnd ? `${reading.total}` : `at least ${reading.total}`;
  if (last < reading.total)
    notes.push(`lines ${range.first}-${last} of ${total}, continue with offset ${last + 1}`);
  else if (range.first > 1)
    notes.push(`lines ${range.first}-${last} of ${total}, the end of the file`);
  if (reading.cutLines > 0)
    notes.push(`lines over ${readableLine} characters are cut: ${reading.cutLines}`);
  if (reading.hasCarriageReturns) notes.push("lines end with CR LF");
  if (reading.hasInvalidUtf8) notes.push("bytes that are not UTF-8 are shown as \ufffd");
  return notes;
}

function render(reading: Reading, range: Range): string {
  const shown = visibleText(range.path);
  if (reading.isEmpty) return `[${shown} is empty]`;
  if (reading.lines.length === 0) {
    return `[offset ${range.first} is past the end: ${shown} has ${reading.total} lines]`;
  }
  const notes = notesOn(reading, range);
  const text = reading.lines.join("\n");
  if (notes.length > 0) return `${text}\n\n[${notes.join("; ")}]`;
  return reading.endsWithBreak ? `${text}\n` : text;
}

export const fileReadTool = defineTool({
  name: "file_read",
  description: {
    what: "Reads a text file of your workspace, whole or a window of its lines.",
    usage:
      `\`path\` is relative to the workspace. Without more you get up to ${defaultLines} lines from the start; with \`offset\` ` +
      "(the first line, counted from 1) and `limit` another window. When something is not shown, the last line says so in " +
      "brackets: which lines of how many these are, and the offset to continue with. Lines over " +
      `${readableLine} characters are cut, and a window ends after about ${maxCharacters} characters. Text comes as it ` +
      "is in the file, without line numbers.",
    examples: [
      { input: { path: "notes/todo.md" }, means: "the whole file" },
      { input: { path: "app.log", offset: 2001, limit: 500 }, means: "lines 2001 to 2500" },
    ],
    notFor:
      "Not for directories (use file_list), binary files, links or paths outside the workspace. Do not read a large file " +
      "from end to end when a window will do.",
  },
  input: {
    path: z.string().min(1).max(maxPathCharacters).describe("The file, relative to the workspace."),
    offset: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe("The first line to show, from 1."),
    limit: z
      .int()
      .min(1)
      .max(maxLines)
      .optional()
      .describe(`Lines to show; ${defaultLines} unless told.`),
  },
  risk: "safe",
  recovery: "repeat",
  capabilities: ({ path }) => [pathCapability("fs.read", path)],
  summary: ({ path, offset = 1 }) =>
    `Read ${visibleText(path)}${offset > 1 ? ` from line ${offset}` : ""}`,
  brings: ({ path }) => ({ private: [origin("file", path)], reads: [path] }),
  async run({ path, offset = 1, limit = defaultLines }, context) {
    stopIfAborted(context.signal);
    const range: Range = { path, first: offset, count: limit };
    const reading = await readLines(range, context);
    if (reading.hasNul) throw notText(path);
    return render(reading, range);
  },
});

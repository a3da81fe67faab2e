import { z } from "zod";
import { pathCapability } from "../policy/capability.ts";
import { origin } from "../policy/origins.ts";
import { visibleText } from "../policy/visible-text.ts";
import { AgentError } from "../schema/errors.ts";
import { maxPathCharacters } from "../schema/relative-path.ts";
import { stopIfAborted } from "./abort.ts";
import { lineDiff } from "./line-diff.ts";
import { defineTool } from "./tool.ts";
import { requireText } from "./whole-text.ts";

const maxCharacters = 200_000;
const maxFileBytes = 8 * 1024 * 1024;

type Edit = { readonly old: string; readonly now: string };

/** Overlapping ones count too: it must be beyond doubt which one is meant. */
function occurrences(text: string, part: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push(at);
  return found;
}

const bareLineFeed = /(?:^|[^\r])\n/;

function withReturns(part: string): string {
  return part.replaceAll(/\r?\n/g, "\r\n");
}

/** file_read shows lines without their carriage returns, so that is how a model knows them. */
function asInFile({ old, now }: Edit, text: string): Edit {
  const hasReturns = text.includes("\r\n") && !bareLineFeed.test(text);
  if (!hasReturns || old.includes("\r")) return { old, now };
  return { old: withReturns(old), now: withReturns(now) };
}

function noSingleMatch(path: string, count: number): AgentError {
  const shown = visibleText(path);
  if (count === 0) {
    return new AgentError("tool.failed", `old_text does not occur in ${shown}.`, {
      hint: "Nothing was changed. Read the file and copy the text exactly, with its spaces and line breaks.",
    });
  }
  return new AgentError("tool.failed", `old_text occurs ${count} times in ${shown}.`, {
    hint: "Nothing was changed. Take in lines around it until it occurs once.",
  });
}

function edited(text: string, wanted: Edit, path: string): string {
  const { old, now } = asInFile(wanted, text);
  const found = occurrences(text, old);
  const [at] = found;
  if (at === undefined || found.length > 1) throw noSingleMatch(path, found.length);
  return `${text.slice(0, at)}${now}${text.slice(at + old.length)}`;
}

export const fileEditTool = defineTool({
  name: "file_edit",
  description: {
    what: "Replaces one passage of a text file in your workspace and leaves the rest as it is.",
    usage:
      "`path` is relative to the workspace. `old_text` is the passage exactly as the file has it, over as many lines as needed, " +
      "and must occur exactly once; `new_text` takes its place, and an empty one deletes it. If the passage is missing or " +
      "occurs more than once, nothing changes and the result says how many times it was found. The result shows the changed " +
      "lines. Line ends with CR LF stay as they are. The person may be asked first.",
    examples: [
      {
        input: { path: "notes/todo.md", old_text: "- buy milk\n", new_text: "- buy oat milk\n" },
        means: "one line changed",
      },
      {
        input: { path: "src/main.ts", old_text: "debug();\n", new_text: "" },
        means: "one line gone",
      },
    ],
    notFor:
      "Not for new files or for replacing a whole file (use file_write), and not for a change in many places at once.",
  },
  input: {
    path: z.string().min(1).max(maxPathCharacters).describe("The file, relative to the workspace."),
    old_text: z.string().min(1).max(maxCharacters).describe("The passage as it is."),
    new_text: z.string().max(maxCharacters).describe("The passage as it shall be."),
  },
  risk: "guarded",
  recovery: "once",
  capabilities: ({ path }) => [pathCapability("fs.read", path), pathCapability("fs.write", path)],
  summary: ({ path, old_text: old, new_text: now }) =>
    `Replace ${old.length} characters by ${now.length} in ${visibleText(path)}`,
  brings: ({ path }) => ({ private: [origin("file", path)], reads: [path] }),
  writes: ({ path }) => [{ path, isWhole: false }],
  async run({ path, old_text: old, new_text: now }, { files, signal }) {
    stopIfAborted(signal);
    if (old === now)
      throw new AgentError(
        "tool.failed",
        "old_text and new_text are the same; nothing was changed.",
      );
    const before = await requireText(files, path, maxFileBytes);
    const after = edited(before, { old, now }, path);
    stopIfAborted(signal);
    await files.write(path, new TextEncoder().encode(after));
    return `Edited ${visibleText(path)}.\n\n${lineDiff(before, after)}`;
  },
});

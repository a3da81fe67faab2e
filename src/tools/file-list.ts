import { z } from "zod";
import { pathCapability } from "../policy/capability.ts";
import { visibleText } from "../policy/visible-text.ts";
import type { FileEntry, FileList } from "../ports/files.ts";
import { maxPathCharacters } from "../schema/relative-path.ts";
import { stopIfAborted } from "./abort.ts";
import { defineTool } from "./tool.ts";

const maxEntries = 500;
const maxDepth = 10;

function lineOf({ path, kind, size }: FileEntry): string {
  const name = visibleText(path);
  switch (kind) {
    case "directory":
      return `${name}/`;
    case "file":
      return `${name} (${size} ${size === 1 ? "byte" : "bytes"})`;
    case "link":
      return `${name} (link, cannot be opened)`;
    case "other":
      return `${name} (special file, cannot be opened)`;
  }
}

function omission({ omitted, omittedAtLeast }: FileList): readonly string[] {
  if (omitted === 0)
    return omittedAtLeast ? ["[some directories could not be listed to the end]"] : [];
  const count = omittedAtLeast ? `at least ${omitted}` : `${omitted}`;
  return [`[${count} not shown; list a directory below, or with a smaller depth]`];
}

export const fileListTool = defineTool({
  name: "file_list",
  description: {
    what: "Lists what a directory of your workspace holds.",
    usage:
      "`path` is relative to the workspace; without it the workspace itself is listed. `depth` (1 to 10, default 1) says how " +
      "many levels to show. One entry a line with its path relative to the workspace, sorted: directories end in /, files " +
      `show their size. At most ${maxEntries} entries, the nearest first; the last line tells how many were left out. ` +
      "Characters that do not show are written as \\u{hex}.",
    examples: [
      { input: {}, means: "what lies in the workspace" },
      { input: { path: "src", depth: 3 }, means: "three levels below src" },
    ],
    notFor:
      "Not for a file's content (use file_read) and not for directories outside the workspace.",
  },
  input: {
    path: z
      .string()
      .min(1)
      .max(maxPathCharacters)
      .optional()
      .describe("The directory, relative to the workspace."),
    depth: z
      .int()
      .min(1)
      .max(maxDepth)
      .optional()
      .describe("Levels to show; 1 is the directory's own entries."),
  },
  risk: "safe",
  recovery: "repeat",
  capabilities: ({ path = "." }) => [pathCapability("fs.read", path)],
  summary: ({ path = "." }) => `List ${visibleText(path)}`,
  brings: ({ path = "." }) => ({ reads: [path] }),
  async run({ path = ".", depth = 1 }, { files, signal }) {
    stopIfAborted(signal);
    const list = await files.list(path, { depth, maxEntries });
    const lines = [...list.entries.map(lineOf), ...omission(list)];
    return lines.length === 0 ? `${visibleText(path)} is an empty directory.` : lines.join("\n");
  },
});

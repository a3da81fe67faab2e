import { z } from "zod";
import { pathCapability } from "../policy/capability.ts";
import { visibleText } from "../policy/visible-text.ts";
import { maxPathCharacters } from "../schema/relative-path.ts";
import { stopIfAborted } from "./abort.ts";
import { defineTool } from "./tool.ts";

const maxCharacters = 1_000_000;

function sizeOf(bytes: number): string {
  return bytes === 1 ? "1 byte" : `${bytes} bytes`;
}

function bytesOf(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

export const fileWriteTool = defineTool({
  name: "file_write",
  description: {
    what: "Writes a whole text file in your workspace: creates it, or replaces everything that it held.",
    usage:
      "`path` is relative to the workspace; missing directories are made. `content` is the complete new content in UTF-8, " +
      "with the final line break where you want one. Read an existing file before you replace it. The file is replaced at " +
      "once: nobody sees half of it. Links and read-only files are refused. The person may be asked first.",
    examples: [
      {
        input: { path: "notes/todo.md", content: "- buy milk\n" },
        means: "a new note in a directory made for it",
      },
      {
        input: { path: ".gitignore", content: "dist\n" },
        means: "a hidden file in the workspace's root",
      },
    ],
    notFor:
      "Not for a small change in a large file, for appending, for binary files or for paths outside the workspace.",
  },
  input: {
    path: z.string().min(1).max(maxPathCharacters).describe("The file, relative to the workspace."),
    content: z.string().max(maxCharacters).describe("The complete new content."),
  },
  risk: "guarded",
  recovery: "once",
  capabilities: ({ path }) => [pathCapability("fs.write", path)],
  summary: ({ path, content }) =>
    `Write ${sizeOf(bytesOf(content).length)} to ${visibleText(path)}`,
  writes: ({ path }) => [{ path, isWhole: true }],
  async run({ path, content }, { files, signal }) {
    stopIfAborted(signal);
    const { created, bytes } = await files.write(path, bytesOf(content));
    return `${created ? "Created" : "Replaced"} ${visibleText(path)} (${sizeOf(bytes)}).`;
  },
});

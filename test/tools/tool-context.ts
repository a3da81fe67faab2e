import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import type { ToolContext } from "../../src/tools/tool.ts";

export function contextWith(
  initial: Readonly<Record<string, string | Uint8Array>> = {},
): ToolContext {
  return { files: createMemoryFiles(initial), signal: new AbortController().signal };
}

export function abortedContext(initial: Readonly<Record<string, string>> = {}): ToolContext {
  return { files: createMemoryFiles(initial), signal: AbortSignal.abort() };
}

import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { createMissingSandbox } from "../../src/adapters/sandbox/bubblewrap.ts";
import { createScriptedWeb } from "../../src/adapters/web/scripted-web.ts";
import type { Conversations, Said } from "../../src/ports/conversations.ts";
import { untouchedStream } from "../../src/policy/stream-redaction.ts";
import type { ToolContext } from "../../src/tools/tool.ts";

export function toolContext(parts: Partial<ToolContext> = {}): ToolContext {
  return {
    files: createMemoryFiles(),
    sandbox: createMissingSandbox("There is none here."),
    web: createScriptedWeb(),
    memory: noMemory,
    outbox: { post: async () => {} },
    schedules: { create: async () => ({ id: "main.1", next_at: 0, timezone: "UTC" }) },
    callKey: "call#7",
    conversations: conversationsOf([]),
    mayRead: () => true,
    callName: "r4-c7-0",
    isAsAllowed: () => true,
    redactStream: () => untouchedStream,
    signal: new AbortController().signal,
    ...parts,
  };
}

const noMemory: ToolContext["memory"] = {
  search: async () => [],
  write: async () => ({ path: "main/local/MEMORY.md" }),
};

export function contextWith(
  initial: Readonly<Record<string, string | Uint8Array>> = {},
): ToolContext {
  return toolContext({ files: createMemoryFiles(initial) });
}

export function abortedContext(initial: Readonly<Record<string, string>> = {}): ToolContext {
  return toolContext({ files: createMemoryFiles(initial), signal: AbortSignal.abort() });
}

/** @param said the newest first   @param isWhole whether nothing was said before */
export function conversationsOf(said: readonly Said[], isWhole = true): Conversations {
  return {
    lookBack: async (see) => said.every((message) => see(message)) && isWhole,
  };
}

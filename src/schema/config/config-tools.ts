import { z } from "zod";

/** The tools that a configuration may name. */

const offeredTools = [
  "file_read",
  "file_list",
  "file_search",
  "file_write",
  "file_edit",
  "shell_exec",
  "web_fetch",
  "memory_write",
  "memory_search",
  "session_search",
  "message_send",
  "schedule_create",
  "ask_user",
] as const;

/** What reaches others, or goes on by itself, is allowed on purpose. */
const onPurpose: ReadonlySet<string> = new Set(["message_send", "schedule_create"]);

export const toolsUnlessTold = offeredTools.filter((name) => !onPurpose.has(name));

const toolsToCome = ["skill_read", "spawn_agent"] as const;

const comingNames: ReadonlySet<unknown> = new Set(toolsToCome);

/** Whether a configuration may name it already although no version has it so far. */
export function isToolToCome(name: string): boolean {
  return comingNames.has(name);
}

export const toolName = z.enum([...offeredTools, ...toolsToCome]).meta({
  notYet: (value) => (comingNames.has(value) ? `have the tool ${String(value)}` : undefined),
});

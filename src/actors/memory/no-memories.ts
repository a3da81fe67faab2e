import type { Memories } from "../../ports/memory.ts";
import { AgentError } from "../../schema/errors.ts";

/** Where nothing is remembered. */
export const noMemories: Memories = {
  of: () => ({
    search: () => Promise.resolve([]),
    write: () => Promise.reject(noMemory()),
  }),
};

export function noMemory(): AgentError {
  return new AgentError("memory.unavailable", "There is no memory to read or write here.");
}

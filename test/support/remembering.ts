import type { MemoryParts } from "../../src/actors/memory/memory-parts.ts";
import type { Memories } from "../../src/ports/memory.ts";

/** What an engine is given of memory by a test that is about runs alone: nothing of it touches a file. */
export function partsOf(memories: Memories): MemoryParts {
  const untouched = new Proxy(
    {},
    {
      get: () => {
        throw new Error("no file of memory is touched here");
      },
    },
  ) as never;
  return {
    memories,
    files: untouched,
    versions: untouched,
    diff: untouched,
    refresh: async () => {},
    timeZone: "UTC",
  };
}

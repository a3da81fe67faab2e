import type { MemorySettings } from "../../memory/settings.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { Log } from "../../ports/log.ts";

/** What `openMemoryIndex(options): Promise<MemoryIndex>` takes. */
export type MemoryIndexOptions = {
  /** A path; it and its directory are made where they are missing. `:memory:` forgets all when it is closed. */
  readonly file: string;
  readonly settings: MemorySettings;
  /** Null: words alone. It is not closed with the index. */
  readonly embedder: Embedder | null;
  readonly clock: Clock;
  readonly log: Log;
};

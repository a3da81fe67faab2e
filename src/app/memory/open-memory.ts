import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { tidyStagings } from "../../actors/memory/changing/tidy-stagings.ts";
import { openDiskMemoryVersions } from "../../adapters/memory-files/disk-memory-versions.ts";
import { openLinuxMemoryFiles } from "../../adapters/memory-files/linux-memory-files.ts";
import { openMemoryIndex } from "../../adapters/memory-index/open-memory-index.ts";
import { memorySettings } from "../../memory/settings.ts";
import { localZone } from "../local-zone.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { LoadedConfig } from "../../config/load-config.ts";
import { openEmbedder } from "./open-embedder.ts";
import { createMemoryService, type MemoryService } from "./memory-service.ts";
import { tidied } from "./tidied.ts";

const mostTold = 20;

export type OpenMemoryOptions = {
  readonly loaded: Pick<LoadedConfig, "config" | "secrets">;
  readonly clock: Clock;
  readonly log: Log;
};

/** The memory of a home: `memory/`, its versions in `data/memory-versions/`, its index in `data/memory.db`.
 *  @throws AgentError memory.unavailable */
export async function openMemory({
  loaded,
  clock,
  log,
}: OpenMemoryOptions): Promise<MemoryService> {
  const { config } = loaded;
  const { home } = config;
  mkdirSync(join(home, "data"), { recursive: true, mode: 0o700 });
  const versions = await openDiskMemoryVersions(join(home, "data", "memory-versions"), (paths) =>
    log("warn", "data/memory-versions has what is none of its own; it is left alone", {
      paths: paths.slice(0, mostTold).join(", "),
      count: paths.length,
    }),
  );
  const files = await openLinuxMemoryFiles({
    root: join(home, "memory"),
    clock,
    cannotWatch: (reason) =>
      log("warn", "files of memory are looked at once a minute only", { reason }),
  });
  await tidied(log, () => tidyStagings(files, versions));
  const { embedder, missing } = openEmbedder(loaded);
  if (missing !== null) log("warn", missing.message, { hint: missing.hint ?? "" });
  const settings = memorySettings(config.memory);
  const file = config.engine.type === "memory" ? ":memory:" : join(home, "data", "memory.db");
  const index = await openMemoryIndex({ file, settings, embedder, clock, log });
  return createMemoryService({
    files,
    versions,
    index,
    missing: missing?.message ?? null,
    closeEmbedder: async () => embedder?.close(),
    settings,
    clock,
    log,
    timeZone: localZone(),
  });
}

import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { createFakeEmbedder } from "../../../src/adapters/embedder/fake-embedder.ts";
import { openMemoryIndex } from "../../../src/adapters/memory-index/open-memory-index.ts";
import { memorySettings } from "../../../src/memory/settings.ts";
import { describeMemoryIndexContract } from "../../contracts/memory-index.contract.ts";

const options = { settings: memorySettings(), clock: createSimulatedClock(), log: () => {} };
const newFile = () => join(mkdtempSync(join(tmpdir(), "memory-index-")), "data", "memory.db");

describeMemoryIndexContract("libSQL, words alone", () =>
  openMemoryIndex({ ...options, file: newFile(), embedder: null }),
);
describeMemoryIndexContract("libSQL with vectors", () =>
  openMemoryIndex({
    ...options,
    settings: memorySettings({ relative_cut: 0.9 }),
    file: newFile(),
    embedder: createFakeEmbedder(),
  }),
);
describeMemoryIndexContract("libSQL without a file", () =>
  openMemoryIndex({ ...options, file: ":memory:", embedder: null }),
);

import { createSystemClock } from "../../src/adapters/clock/system-clock.ts";
import { createFakeEmbedder } from "../../src/adapters/embedder/fake-embedder.ts";
import { openMemoryIndex } from "../../src/adapters/memory-index/open-memory-index.ts";
import { memorySettings } from "../../src/memory/settings.ts";

/** Fills an index until it is killed, and says the name and version of each document that is in: `node index-filler.ts FILE`. */

const [, , file = ""] = process.argv;
const index = await openMemoryIndex({
  file,
  settings: memorySettings(),
  clock: createSystemClock(),
  embedder: createFakeEmbedder(),
  log: () => {},
});
for (let round = 0; ; round += 1) {
  const path = `main/local/${round % 7}.md`;
  const texts = Array.from({ length: 40 }, (_, at) => `apple ${(round * 13 + at) % 50} tree ${at}`);
  const chunks = texts.map((text, at) => ({
    text,
    heading: "",
    line_start: at + 1,
    line_end: at + 1,
    origins: [],
  }));
  const version = String(round);
  await index.put({ path, partition: "main/local", kind: "memory", version, chunks });
  process.stdout.write(`${path} ${version}\n`);
}

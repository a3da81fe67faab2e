import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createSystemClock } from "../../src/adapters/clock/system-clock.ts";
import { createFakeEmbedder } from "../../src/adapters/embedder/fake-embedder.ts";
import { LibsqlConnection } from "../../src/adapters/libsql/libsql-connection.ts";
import { openMemoryIndex } from "../../src/adapters/memory-index/open-memory-index.ts";
import { memorySettings } from "../../src/memory/settings.ts";
import { question } from "../contracts/memory-index.contract.ts";

const filler = fileURLToPath(new URL("../support/index-filler.ts", import.meta.url));

/** Kills the filler a moment after it has put so many documents.
 *  @returns the last version of each document that it told of */
async function fillAndKill(file: string, documents: number): Promise<Map<string, number>> {
  const child = spawn(process.execPath, ["--import", "tsx", filler, file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const told = new Map<string, number>();
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [path = "", version = ""] = line.split(" ");
    told.set(path, Number(version));
    count += 1;
    if (count === documents) child.kill("SIGKILL");
  }
  return told;
}

describe("an index whose process is killed while it writes", () => {
  it("has every document that was told of whole, finds them, and makes the vectors that are missing", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "index-kill-")), "memory.db");
    for (const documents of [1, 3, 8, 20]) {
      const told = await fillAndKill(file, documents);
      const logged: string[] = [];
      const index = await openMemoryIndex({
        file,
        settings: memorySettings({ relative_cut: 0 }),
        clock: createSystemClock(),
        embedder: createFakeEmbedder(),
        log: (_, message) => void logged.push(message),
      });
      expect(logged).toEqual([]);
      const known = await index.documents();
      for (const [path, version] of told) {
        const found = known.find((document) => document.path === path);
        expect(Number(found?.version)).toBeGreaterThanOrEqual(version);
      }
      const chunks = known.length * 40;
      const hits = await index.search(question("tree", { limit: 1_000 }));
      expect(hits).toHaveLength(chunks);
      await expect.poll(async () => (await index.stats()).embedded).toBe(chunks);
      await index.close();
      const connection = new LibsqlConnection(file, 0);
      connection.exec("INSERT INTO chunk_fts(chunk_fts, rank) VALUES('integrity-check', 1)");
      expect(connection.value("PRAGMA integrity_check")).toBe("ok");
      connection.close();
    }
  });
});

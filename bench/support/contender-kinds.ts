import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBenchHive, openStore } from "./bench-hive.ts";
import { createSdkLoop } from "./sdk-loop.ts";

/** Who is compared: the floor, and statehive over each store. */

export const contenderKinds = ["floor", "memory", "process", "power"] as const;
export type ContenderKind = (typeof contenderKinds)[number];

export type Ask = (session: string, text: string, onText: () => void) => Promise<string>;
export type Contender = { readonly ask: Ask; diskBytes(): number; close(): Promise<void> };

export async function createContender(
  kind: ContenderKind,
  url: string,
  streams: boolean,
): Promise<Contender> {
  if (kind === "floor") {
    return { ask: createSdkLoop(url, streams), diskBytes: () => 0, close: async () => {} };
  }
  const directory = mkdtempSync(join(tmpdir(), "statehive-bench-"));
  const file = join(directory, "bench.db");
  const store = await openStore(
    kind === "memory" ? undefined : file,
    kind === "power" ? "power" : "process",
  );
  const hive = createBenchHive({ url, store, streams });
  await hive.engine.start();
  return {
    ask: hive.ask,
    diskBytes: () => (kind === "memory" ? 0 : statSync(file).size),
    close: async () => {
      await hive.engine.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

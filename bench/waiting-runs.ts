import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Child, startChild } from "./support/child.ts";
import type { HiveOrder, Started } from "./support/hive-process.ts";
import { numbersOf, printTable } from "./support/measure.ts";
import { startModelServer } from "./support/model-server.ts";

/** Runs that wait for a person, a killed process, and the next start: what it reads, what it costs, and how all go on. */

const { runs } = numbersOf({ runs: 1000 });
const directory = mkdtempSync(join(tmpdir(), "statehive-bench-"));
const file = join(directory, "bench.db");
const model = await startModelServer();

const startHive = async (path: string): Promise<Child & { readonly started: Started }> => {
  const child = await startChild(import.meta.url, "support/hive-process", [model.url, path]);
  return { ...child, started: await child.ask<Started>("started") };
};
const row = (name: string, { readyMs, cpuMs, rowsRead }: Started) => [
  name,
  readyMs.toFixed(0),
  cpuMs.toFixed(1),
  String(rowsRead),
];

const empty = await startHive(join(directory, "empty.db"));
await empty.close();
const again = await startHive(join(directory, "empty.db"));
await again.close();

const first = await startHive(file);
const { waiting } = await first.ask<{ waiting: number }>({ do: "wait", runs } satisfies HiveOrder);
await first.kill();
const second = await startHive(file);
console.log(
  `${waiting} runs wait for an approval; ${(statSync(file).size / 1e6).toFixed(1)} MB; killed`,
);
printTable([
  ["start", "ready after ms", "CPU ms of the start", "rows read"],
  row("of an empty file", again.started),
  row("of the killed one", second.started),
]);
const resumed = await second.ask<{ cpuMs: number; wallMs: number; left: number }>({
  do: "decide",
  runs,
} satisfies HiveOrder);
await second.close();
await model.close();
rmSync(directory, { recursive: true });
console.log(
  `all decided and finished in ${resumed.wallMs.toFixed(0)} ms, ${(resumed.cpuMs / runs).toFixed(2)} ms CPU a run; ${resumed.left} still wait`,
);

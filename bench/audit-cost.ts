import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sessionAddress } from "../src/actors/session-key.ts";
import type { RowStore } from "../src/ports/store.ts";
import { auditHeadTable, auditTable } from "../src/schema/rows/audit-rows.ts";
import { grantTable } from "../src/schema/rows/permission-rows.ts";
import type { RiskClass } from "../src/schema/tool.ts";
import { type BenchHive, createBenchHive, keyOf, openStore } from "./support/bench-hive.ts";
import { giveGrants, grantsOf } from "./support/granted-work.ts";
import { cpuOf, median, numbersOf, printTable } from "./support/measure.ts";
import { rounds as roundsOf, startModelServer } from "./support/model-server.ts";
import { defineWeather } from "./support/weather.ts";

/** A turn with one tool call, that grants let run and the audit remembers, beside the same turn without either: the tool is
 *  safe, and what concerns audit and grants is neither written nor read. In one process, in turns; the model answers in one piece,
 *  which is the least that a turn can cost. */

const options = numbersOf({ rounds: 40, turns: 10, warmUp: 300, grants: 1_000 });
const session = "s1";
const toolName = "granted_weather";
const left = new Set([auditTable.name, auditHeadTable.name, grantTable.name]);

const has = (table: { readonly name: string }) => !left.has(table.name);

/** Knows nothing of these tables, and keeps nothing in them. */
function without(store: RowStore): RowStore {
  const { committed } = store;
  return {
    get: (table, ...key) => (has(table) ? store.get(table, ...key) : undefined),
    select: (table, query) => (has(table) ? store.select(table, query) : []),
    distinct: (table, index, first) => store.distinct(table, index, first),
    put: (table, row) => (has(table) ? store.put(table, row) : undefined),
    patch: (table, key, changes) => (has(table) ? store.patch(table, key, changes) : undefined),
    remove: (table, ...key) => (has(table) ? store.remove(table, ...key) : undefined),
    begin: () => store.begin(),
    commit: () => store.commit(),
    rollback: () => store.rollback(),
    committed,
    close: () => store.close(),
  };
}

async function hiveOver(store: RowStore, risk: RiskClass): Promise<BenchHive> {
  const tools = [defineWeather(toolName, risk)];
  const hive = createBenchHive({ url: model.url, store, streams: false, tools });
  await hive.engine.start();
  return hive;
}

/** Grants of the session, of which one covers what the model will ask for. */
async function grant(store: RowStore, count: number): Promise<void> {
  const owner = sessionAddress(keyOf(session));
  const given = grantsOf(count).map((one) => ({ ...one, session_address: owner, owner }));
  const [first, ...others] = given;
  if (first === undefined) return;
  await giveGrants(store, [
    { ...first, tool: toolName, capability: "net.fetch:city%200" },
    ...others,
  ]);
}

async function turns({ ask, engine }: BenchHive, count: number): Promise<number> {
  const cpuMs = await cpuOf(async () => {
    for (let turn = 0; turn < count; turn += 1) {
      const reply = await ask(session, roundsOf(1, toolName));
      if (!reply.startsWith("done: ")) throw new Error(`the run ended with ${reply}`);
      await engine.settled();
    }
  });
  return cpuMs / count;
}

async function compare(name: string, fileOf: (name: string) => string | undefined) {
  const full = await openStore(fileOf("with"), "process");
  const bare = await openStore(fileOf("without"), "process");
  const [judged, free] = [await hiveOver(full, "guarded"), await hiveOver(without(bare), "safe")];
  await free.ask(session, roundsOf(0));
  await judged.ask(session, roundsOf(0));
  await judged.engine.settled();
  await grant(full, options.grants);
  for (const hive of [free, judged]) await turns(hive, options.warmUp);
  const costs: { judged: number; free: number }[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const first = round % 2 === 0 ? judged : free;
    const a = await turns(first, options.turns);
    const b = await turns(first === judged ? free : judged, options.turns);
    costs.push(first === judged ? { judged: a, free: b } : { judged: b, free: a });
  }
  for (const { engine } of [judged, free]) await engine.close();
  return [
    name,
    median(costs.map((cost) => cost.free)).toFixed(2),
    median(costs.map((cost) => cost.judged)).toFixed(2),
    `${median(costs.map((cost) => cost.judged / cost.free)).toFixed(2)}x`,
  ];
}

const model = await startModelServer();
const directory = mkdtempSync(join(tmpdir(), "statehive-bench-"));
const rows = [
  ["CPU ms a turn", "without", `audit, ${options.grants} grants`, "ratio"],
  await compare("memory", () => undefined),
  await compare("file", (name) => join(directory, `${name}.db`)),
];
printTable(rows);
rmSync(directory, { recursive: true, force: true });
await model.close();

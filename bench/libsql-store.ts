import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SyncDatabase from "libsql";
import AsyncDatabase from "libsql/promise";
import type { Durability } from "../src/adapters/engine/libsql-store.ts";
import { openLibsqlStore } from "../src/adapters/engine/open-libsql.ts";
import { schemaOf } from "../src/adapters/engine/libsql-sql.ts";
import {
  type ActorRow,
  actorTable,
  counterTable,
  engineTables,
  type JournalRow,
  journalTable,
  mailTable,
} from "../src/engine/tables.ts";

/** CPU of the store's writes and reads of one durable step against bare prepared statements for the same rows. */

const steps = Number(process.argv[2] ?? 4000);
const rounds = 5;

const snapshot = {
  value: { active: "awaiting_model" },
  context: { session: "session/telegram/12345", rounds: 3, history: "m".repeat(600) },
  children: { model: { src: "callModel", seq: 41 } },
  timers: { deadline: { seq: 41 } },
} as unknown as ActorRow["snapshot"];

const actor = (number: number): ActorRow => ({
  address: `run/${number}`,
  machine: "run",
  version: "1",
  parent: "session/1",
  supervisor: "system",
  restart: "temporary",
  input: { session: "session/1", text: "hello" },
  snapshot,
  state: "active.awaiting_model",
  tags: ["busy"],
  status: "active",
  seq: number,
  since: 1_700_000_000_000,
  trace: `trace-${number}`,
  created_at: 1_700_000_000_000,
  ended_at: null,
  error: null,
});

const journal = (seq: number): JournalRow => ({
  seq,
  at: 1_700_000_000_000 + seq,
  address: `run/${seq % 100}`,
  machine: "run",
  event_type: "model.answered",
  event: { type: "model.answered", text: "x".repeat(200) },
  origin: "actor",
  outcome: "handled",
  reason: null,
  state_before: "active.awaiting_model",
  state_after: "active.deciding",
  trace: "trace-1",
  cause: seq - 1,
});

type Step = (number: number) => void | Promise<void>;
type Contender = { readonly step: Step; readonly close: () => void | Promise<void> };

async function overStore(file: string, durability: Durability): Promise<Contender> {
  const store = await openLibsqlStore({ url: `file:${file}`, tables: engineTables, durability });
  store.begin();
  for (let number = 0; number < 100; number += 1) store.put(actorTable, actor(number));
  await store.commit();
  return {
    step: async (number) => {
      store.begin();
      store.get(mailTable, number);
      store.patch(actorTable, [`run/${number % 100}`], {
        snapshot,
        state: "active.deciding",
        tags: ["busy"],
        seq: number,
        since: number,
      });
      store.put(journalTable, journal(number));
      store.put(counterTable, { name: "seq", value: number });
      await store.commit();
    },
    close: () => store.close(),
  };
}

const places = (count: number) => Array.from({ length: count }, () => "?").join(",");

const bindings = (row: object) =>
  Object.values(row).map((value: unknown) =>
    typeof value === "object" && value !== null ? JSON.stringify(value) : value,
  );

function overStatements(file: string, durability: Durability): Contender {
  const database = new SyncDatabase(file);
  const pragmas = ["auto_vacuum=INCREMENTAL", "journal_mode=WAL"];
  for (const pragma of [...pragmas, `synchronous=${durability === "power" ? "FULL" : "NORMAL"}`]) {
    database.exec(`PRAGMA ${pragma}`);
  }
  database.exec(schemaOf(engineTables));
  const putActor = database.prepare(`INSERT INTO actors VALUES (${places(17)})`);
  for (let number = 0; number < 100; number += 1) putActor.run(bindings(actor(number)));
  const getMail = database.prepare("SELECT * FROM mail WHERE id = ?").raw();
  const patch = database.prepare(
    "UPDATE actors SET snapshot=?, state=?, tags=?, seq=?, since=? WHERE address=?",
  );
  const putJournal = database.prepare(`INSERT INTO journal VALUES (${places(13)})`);
  const putCounter = database.prepare("INSERT OR REPLACE INTO counters VALUES (?,?)");
  const begin = database.prepare("BEGIN IMMEDIATE");
  return {
    step: async (number) => {
      begin.run([]);
      getMail.get([number]);
      const address = `run/${number % 100}`;
      const text = JSON.stringify(snapshot);
      patch.run([text, "active.deciding", '["busy"]', number, number, address]);
      const row = journal(number);
      putJournal.run([
        row.seq,
        row.at,
        row.address,
        row.machine,
        row.event_type,
        JSON.stringify(row.event),
        row.origin,
        row.outcome,
        row.reason,
        row.state_before,
        row.state_after,
        row.trace,
        row.cause,
      ]);
      putCounter.run(["seq", number]);
      if (durability === "power") await AsyncDatabase.prototype.exec.call(database, "COMMIT");
      else database.exec("COMMIT");
    },
    close: () => void database.close(),
  };
}

async function cpuPerStep({ step }: Contender, from: number): Promise<number> {
  const before = process.cpuUsage();
  for (let number = from; number < from + steps; number += 1) await step(number);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / steps;
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function compare(directory: string, durability: Durability): Promise<void> {
  const store = await overStore(join(directory, `${durability}-store.db`), durability);
  const bare = overStatements(join(directory, `${durability}-bare.db`), durability);
  const found: { store: number[]; bare: number[] } = { store: [], bare: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const from = 1 + round * steps;
    const measured = { store: await cpuPerStep(store, from), bare: await cpuPerStep(bare, from) };
    if (round === 0) continue;
    found.store.push(measured.store);
    found.bare.push(measured.bare);
  }
  await store.close();
  await bare.close();
  const ratio = median(found.store) / median(found.bare);
  console.log(
    `${durability}: store ${median(found.store).toFixed(1)} µs CPU a step, bare ${median(found.bare).toFixed(1)}, ratio ${ratio.toFixed(2)}`,
  );
}

const directory = mkdtempSync(join(tmpdir(), "statehive-bench-"));
try {
  await compare(directory, "process");
  await compare(directory, "power");
} finally {
  rmSync(directory, { recursive: true });
}

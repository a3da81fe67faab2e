import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { createMemoryStore } from "../../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { mirrorSessions } from "../../../src/app/mirror/mirror-sessions.ts";
import { SessionMirror } from "../../../src/app/mirror/session-mirror.ts";
import { createNewsBus } from "../../../src/app/news/news.ts";
import { createRedactor } from "../../../src/policy/redaction.ts";
import type { CommittedReader } from "../../../src/ports/store.ts";
import { type Message, messageTable, sessionTable } from "../../../src/schema/rows/session-rows.ts";
import { createTestHive } from "../../support/hive.ts";

let home: string;
let directory: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "statehive-mirror-"));
  directory = join(home, "sessions");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const fileOf = (id: string) => join(directory, `${id}.jsonl`);
const textOf = (id: string) => readFileSync(fileOf(id), "utf8");
const linesOf = (id: string) =>
  textOf(id)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const positionsOf = (id: string) => linesOf(id).map(({ position }) => position ?? "heading");

/** Rows without an engine, and what is read of them. */
function createRows() {
  let store = createMemoryStore({ tables: allTables });
  const logged: string[] = [];
  let rowsRead = 0;
  const say = async (session_id: string, positions: readonly number[], text = "said") => {
    store.begin();
    const session = { session_id, key: `local:${session_id}`, agent_id: "main", created_at: 1000 };
    store.put(sessionTable, {
      ...session,
      address: "",
      state: "open",
      last_at: 0,
      closed_at: null,
    });
    for (const position of positions) {
      const content = [{ type: "text", text: `${text} ${position}`, origin: "user:ann" }] as const;
      const about = { position, session_id, run_id: "r1", role: "user" } as const;
      store.put(messageTable, { ...about, content, at: 1000 + position });
    }
    await store.commit();
  };
  const read: CommittedReader = {
    get: async (table, ...key) => {
      rowsRead += 1;
      return store.committed.get(table, ...key);
    },
    select: async (table, query) => {
      const rows = await store.committed.select(table, query);
      rowsRead += rows.length;
      return rows;
    },
    count: (table, query) => store.committed.count(table, query),
  };
  const clock = createSimulatedClock(0);
  const mirror = () =>
    new SessionMirror({ directory, read, clock, log: (_, text) => void logged.push(text) });
  return {
    say,
    logged,
    mirror,
    clock,
    /** @returns how many rows that took */
    reading: async (work: () => Promise<unknown>) => {
      const before = rowsRead;
      await work();
      return rowsRead - before;
    },
    restoreEmpty: () => void (store = createMemoryStore({ tables: allTables })),
  };
}

it("writes what is said as a line for each message, after one that says which conversation it is", async () => {
  const hive = await createTestHive({ redactor: createRedactor(["hunter2secret"]) });
  const { engine, clock, say } = hive;
  const bus = createNewsBus(engine);
  const end = mirrorSessions({ home, engine, bus, clock, log: () => {} });
  await say('call file_write {"path":"a.txt","content":"\u009b2J\u202e hi"}');
  await engine.settled();
  await end();
  const [session] = await engine.read.select(sessionTable, { index: "by_last" });
  const id = session?.session_id ?? "";
  const rows = await engine.read.select(messageTable, { index: "by_session", equals: [id] });
  expect(rows.map(({ role }) => role)).toContain("user");
  const asLine = ({ session_id: _, at, ...row }: Message) => ({
    type: "message",
    ...row,
    at: new Date(at).toISOString(),
  });
  expect(linesOf(id)).toEqual([
    {
      type: "session",
      session_id: id,
      agent_id: "main",
      key: "local:local:cli:tester:main",
      created_at: "1970-01-01T00:16:40.000Z",
    },
    ...rows.map(asLine),
  ]);
  expect(textOf(id)).toContain(String.raw`\u009b2J\u202e hi`);
  expect([fileOf(id), directory].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o600, 0o700,
  ]);
  await engine.close();
});

it("writes a little after the commit, without being asked", async () => {
  const { engine, clock, say } = await createTestHive();
  const end = mirrorSessions({ home, engine, bus: createNewsBus(engine), clock, log: () => {} });
  await say("hello");
  await engine.settled();
  expect(existsSync(directory)).toBe(false);
  clock.advance(100);
  await expect.poll(() => existsSync(directory) && readdirSync(directory).length).toBe(1);
  await end();
  await engine.close();
});

it("goes on after a crash at any byte: a cut line is written again, whole lines stay", async () => {
  const { say, mirror } = createRows();
  await say("s1", [1000, 2000], "grüße");
  await mirror().catchUp();
  const before = readFileSync(fileOf("s1"));
  await say("s1", [3000, 4000], "größer");
  await mirror().catchUp();
  const whole = readFileSync(fileOf("s1"));
  for (let bytes = 0; bytes <= whole.length; bytes += bytes < before.length - 3 ? 7 : 1) {
    truncateSync(fileOf("s1"), bytes);
    await mirror().catchUp();
    expect([bytes, readFileSync(fileOf("s1")).equals(whole)]).toEqual([bytes, true]);
    writeFileSync(fileOf("s1"), whole);
  }
});

it("looks at start only for what came after the mark, and at each message only for that one", async () => {
  const { say, mirror, reading } = createRows();
  const many = Array.from({ length: 10_000 }, (_, index) => index * 1000);
  await say("s1", many);
  const first = mirror();
  await first.catchUp();
  expect(positionsOf("s1")).toEqual(["heading", ...many]);
  await say("s1", [10_000_000]);
  const { size } = statSync(fileOf("s1"));
  expect(await reading(() => first.catchUp())).toBe(1);
  const added = statSync(fileOf("s1")).size - size;
  expect(added).toBeLessThan(200);
  await first.close();
  expect(await reading(() => mirror().catchUp())).toBe(1);
  await say("s2", [10_001_000]);
  expect(await reading(() => mirror().catchUp())).toBeLessThan(6);
  expect(positionsOf("s2")).toEqual(["heading", 10_001_000]);
});

it("writes a file anew that somebody has removed, emptied or written into", async () => {
  const { say, mirror } = createRows();
  const running = mirror();
  await say("s1", [1000, 2000]);
  await running.catchUp();
  const spoil = [
    () => rmSync(directory, { recursive: true }),
    () => truncateSync(fileOf("s1"), 0),
    () => appendFileSync(fileOf("s1"), '{"type":"message","position":9000,"at":"never"}\n'),
    () => writeFileSync(fileOf("s1"), "mine\n"),
    () => writeFileSync(fileOf("s1"), `\0\0\0`),
  ];
  const said = [1000, 2000];
  for (const [index, spoilIt] of spoil.entries()) {
    spoilIt();
    said.push((index + 3) * 1000);
    await say("s1", said.slice(-1));
    await running.catchUp();
    expect(positionsOf("s1")).toEqual(["heading", ...said]);
  }
});

it("follows a database that was restored to an older time", async () => {
  const { say, mirror, restoreEmpty } = createRows();
  await say("s1", [1000, 2000, 3000]);
  await say("s2", [4000]);
  const before = mirror();
  await before.catchUp();
  await before.close();
  restoreEmpty();
  await say("s1", [1000, 2000]);
  await say("s9", [3000], "another");
  await mirror().catchUp();
  expect(positionsOf("s1")).toEqual(["heading", 1000, 2000]);
  expect(positionsOf("s9")).toEqual(["heading", 3000]);
});

it("holds up nobody for a file that cannot be written, says so once, and completes it later", async () => {
  const { say, mirror, logged, clock } = createRows();
  mkdirSync(fileOf("s1"), { recursive: true });
  const outside = join(home, "outside.txt");
  writeFileSync(outside, "not yours");
  symlinkSync(outside, fileOf("s2"));
  const running = mirror();
  for (const position of [1000, 2000, 3000]) {
    await say(`s${position / 1000}`, [position, position + 1]);
    await running.catchUp();
  }
  expect(positionsOf("s3")).toEqual(["heading", 3000, 3001]);
  const trouble = "files of sessions cannot be written; they are completed later";
  expect(logged).toEqual([trouble]);
  rmSync(fileOf("s1"), { recursive: true });
  rmSync(fileOf("s2"));
  clock.advance(30_000);
  await running.catchUp();
  expect([positionsOf("s1"), positionsOf("s2")]).toEqual([
    ["heading", 1000, 1001],
    ["heading", 2000, 2001],
  ]);
  expect(logged).toEqual([trouble, "the files of sessions are complete again"]);
  expect(readFileSync(outside, "utf8")).toBe("not yours");
});

it("keeps every file in its directory, whatever the session is called", async () => {
  const { say, mirror } = createRows();
  const odd = [
    "../outside",
    "..",
    "",
    "a/b",
    "/etc/x",
    "nul\0",
    "\ud800",
    "x".repeat(300),
    ".mirrored",
  ];
  for (const [index, id] of odd.entries()) await say(id, [index]);
  const running = mirror();
  await running.catchUp();
  await running.close();
  const names = readdirSync(directory).filter((name) => name !== ".mirrored");
  expect(names.every((name) => /^[0-9a-f]{64}\.jsonl$/.test(name))).toBe(true);
  expect(names.length).toBe(odd.length);
  expect(readdirSync(home)).toEqual(["sessions"]);
});

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import { LibsqlConnection } from "../../src/adapters/libsql/libsql-connection.ts";
import { openLibsqlStore } from "../../src/adapters/engine/open-libsql.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { actorTable } from "../../src/engine/tables.ts";
import { approvalTable } from "../../src/schema/rows/permission-rows.ts";
import { runTable } from "../../src/schema/rows/run-rows.ts";
import { messageTable } from "../../src/schema/rows/session-rows.ts";
import { createTestHive, type TestHive } from "../support/hive.ts";

/** What the first version left behind when it was killed: an idle session, an approval and a question that wait, a command that ran. */
const left = ["schema-v1.sql", "home-v1.sql"].map((name) =>
  readFileSync(fileURLToPath(new URL(`../golden/${name}`, import.meta.url)), "utf8"),
);
const killedAt = 1_795_310_780_000;
const sessionOf = (scope: string) => `session/local:local:${scope}:owner:main`;

let directory: string;
let hive: TestHive;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "statehive-old-home-"));
  const path = join(directory, "statehive.db");
  const connection = new LibsqlConnection(path, 0);
  for (const sql of left) connection.exec(sql);
  connection.exec("PRAGMA user_version = 1");
  connection.close();
  const store = await openLibsqlStore({
    url: `file:${path}`,
    tables: allTables,
    durability: "process",
  });
  hive = await createTestHive({ store, clock: createSimulatedClock(killedAt) });
});

afterEach(async () => {
  await hive.engine.close(0);
  rmSync(directory, { recursive: true, force: true });
});

async function settled(runId: string) {
  await hive.engine.settled();
  const run = await hive.engine.read.get(runTable, runId);
  return { state: run?.state, reply: run?.reply };
}

describe("a home of the first version", () => {
  it("starts with nothing set aside", async () => {
    expect(await hive.engine.actors({ status: "quarantined", limit: 10 })).toEqual([]);
    expect(
      (await hive.engine.actors({ status: "active", limit: 100 })).map(({ state }) => state),
    ).not.toContain("");
  });

  it("lets a person decide the approval that waits", async () => {
    const approval = await hive.engine.read.get(approvalTable, "a15");
    const decision = { type: "approval.decide", decision: "approve", scope: "once", by: "cli" };
    await hive.engine.send(approval?.address ?? "", decision, { origin: "cli" });
    expect(await settled("r10")).toEqual({
      state: "done",
      reply: "I wrote todo.txt. The tool says: Created todo.txt (8 bytes).",
    });
    expect(await hive.files.stat("todo.txt")).toMatchObject({ kind: "file", size: 8 });
  });

  it("lets a person answer the question that waits", async () => {
    const approval = await hive.engine.read.get(approvalTable, "a24");
    const answer = { type: "approval.answer", value: "green", by: "cli" };
    await hive.engine.send(approval?.address ?? "", answer, { origin: "cli" });
    expect(await settled("r19")).toMatchObject({ state: "done" });
  });

  it("asks what became of the command that ran", async () => {
    await hive.engine.settled();
    const pending = await hive.engine.read.select(approvalTable, {
      index: "by_state",
      equals: ["pending"],
    });
    expect(pending.map(({ kind, run_id }) => `${kind} ${run_id}`)).toContain("outcome r28");
  });

  it("closes the conversations that rest when half an hour has passed since their last answer", async () => {
    const stateOf = async () => (await hive.engine.get(sessionOf("cli")))?.state;
    const { since } = (await hive.engine.get(sessionOf("cli"))) ?? { since: 0 };
    hive.clock.advance(since + 1_800_000 - killedAt - 1);
    await hive.engine.settled();
    expect(await stateOf()).toBe("idle");
    hive.clock.advance(1);
    await hive.engine.settled();
    expect(await stateOf()).toBe("closed");
  });

  it("takes what its conversations hold for a stranger's text: nobody noted where it came from", async () => {
    const event = { type: "message.received", text: "hello again" };
    await hive.engine.send(sessionOf("cli"), event, { origin: "cli" });
    await hive.engine.settled();
    const rows = await hive.engine.read.select(actorTable, { index: "key" });
    const open = rows.filter(({ machine, status }) => machine === "session" && status === "active");
    expect(open.length).toBeGreaterThan(1);
    const touched = rows.find(({ address }) => address === sessionOf("cli"));
    expect(touched?.tags).toContain("tainted");
  });

  it("goes on with the conversations that rest", async () => {
    await hive.engine.send(
      sessionOf("cli"),
      { type: "message.received", text: "hello again" },
      { origin: "cli" },
    );
    await hive.engine.settled();
    const [newest] = await hive.engine.read.select(messageTable, {
      index: "by_session",
      equals: ["s3"],
      descending: true,
      limit: 1,
    });
    expect(newest?.role).toBe("assistant");
  });
});

import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { createScriptedSandbox } from "../../src/adapters/sandbox/scripted-sandbox.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { actorTable } from "../../src/engine/tables.ts";
import { fileOriginTable } from "../../src/schema/rows/file-origin-rows.ts";
import { approvals, decide, pendingApproval, reached, runs } from "../actors/hive-watch.ts";
import { place } from "../support/hive.ts";
import { foreignWorld, toNotes, toOther, toPage } from "./foreign-world.ts";

/** J02: what takes foreign text along, takes its mark along. */

const origins = ["web:page.example"];
const elsewhere = place.replace("cli", "tui");
const third = place.replace("cli", "web");

it("J02: a command that may copy a marked file marks what it writes, also in a session that was not tainted", async () => {
  const sandbox = createScriptedSandbox(() => ({ output: "" }));
  const { hive, tell } = await foreignWorld("Tea.", { sandbox });
  await tell(toPage, 'CALL file_write {"path":"in/a.md","content":"x"}');
  await hive.say('CALL shell_exec {"command":"cp in/a.md notes.md"}', elsewhere);
  await hive.engine.settled();
  await decide(hive);
  await hive.engine.settled();
  await hive.say(toNotes, third);
  await hive.engine.settled();
  await hive.say(toOther, third);
  await hive.engine.settled();
  expect((await pendingApproval(hive)).reason).toContain("holds text of web:page.example");
});

it("J02: a run that was set aside leaves its session tainted, as nobody can say what it has read", async () => {
  const store = createMemoryStore({ tables: allTables });
  const sandbox = createScriptedSandbox(() => ({ output: "" }));
  const before = await foreignWorld("Tea.", { store, sandbox });
  await before.tell(`${toPage} ${toNotes} CALL shell_exec {"command":"make"}`);
  const [run] = await runs(before.hive);
  const [asked] = await approvals(before.hive);
  expect(asked?.state).toBe("pending");
  store.begin();
  store.patch(actorTable, [run?.address ?? ""], { version: "0" });
  await store.commit();
  await before.hive.engine.close();

  const after = await foreignWorld("Tea.", { store: store.crash(), sandbox });
  await after.hive.engine.settled();
  await after.tell(toOther);
  expect((await pendingApproval(after.hive)).reason).toBe(
    `The run has read run:${run?.run_id} and holds text of run:${run?.run_id}, which could make it send that on.`,
  );
  expect(after.asked).toEqual([]);
});

const quietRoot = { children: [], max_restarts: 3, within_ms: 10_000, backoff_ms: 200 };
const copies = 'CALL shell_exec {"command":"cp a.md b.md"}';

/** A world with a command that lets something happen before it does its own work. */
async function worldWithSlowCommand() {
  const scripted = createScriptedSandbox(() => ({ output: "" }));
  let meanwhile: () => Promise<unknown> = async () => undefined;
  const run: typeof scripted.run = async (...asked) => {
    await meanwhile();
    return scripted.run(...asked);
  };
  const its = await foreignWorld("Tea.", { sandbox: { ...scripted, run } });
  const markOfAll = async () => {
    const rows = await its.hive.engine.read.select(fileOriginTable, { index: "key" });
    return rows.find(({ path }) => path === ".")?.origins;
  };
  const command = async (happens: () => Promise<unknown>) => {
    meanwhile = happens;
    await its.tell(copies);
    await decide(its.hive);
    await its.hive.engine.settled();
  };
  return { ...its, command, markOfAll };
}

it("J02: a command marks what it may have copied of what was written while it ran", async () => {
  const { hive, command, markOfAll } = await worldWithSlowCommand();
  await hive.say(toPage, elsewhere);
  await hive.engine.settled();
  await command(async () => {
    const isWritten = reached(hive, "run", "done");
    await hive.say('CALL file_write {"path":"a.md","content":"x"}', elsewhere);
    await isWritten;
  });
  expect(await markOfAll()).toEqual(origins);
});

it("J02: a command of a tainted run marks again what a person takes the mark of while it runs", async () => {
  const { hive, tell, command, markOfAll } = await worldWithSlowCommand();
  await tell(toPage);
  await hive.engine.create("system", { machine: "system", input: quietRoot });
  const mark = { workspace: "/workspace/main", path: ".", origins };
  await command(() =>
    hive.engine.send("system", { type: "mark.clear", ...mark, by: "cli" }, { origin: "cli" }),
  );
  expect(await markOfAll()).toEqual(origins);
});

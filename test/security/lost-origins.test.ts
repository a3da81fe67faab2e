import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { createScriptedSandbox } from "../../src/adapters/sandbox/scripted-sandbox.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { actorTable } from "../../src/engine/tables.ts";
import { approvals, decide, pendingApproval, runs } from "../actors/hive-watch.ts";
import { place } from "../support/hive.ts";
import { foreignWorld, toNotes, toOther, toPage } from "./foreign-world.ts";

/** J02: what takes foreign text along, takes its mark along. */

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

import { describe, expect, it } from "vitest";
import { idempotencyTable, journalTable } from "../../../src/engine/tables.ts";
import { approvalTable, type Grant, grantTable } from "../../../src/schema/rows/permission-rows.ts";
import { taskTable } from "../../../src/schema/rows/run-rows.ts";
import { fork, messagesIn, spoken } from "../../support/forks.ts";
import { createTestHive, place, type TestHive } from "../../support/hive.ts";
import { sessionAddress } from "../../../src/actors/session-key.ts";
import { runsOf } from "../../support/replays.ts";

/** A fork may not do what its run might not: it cannot be used to get around a person's no, or out of a task's boundary. */

const write = 'call file_write {"path":"a.txt","content":"x"}';

async function deny(hive: TestHive, scope: string): Promise<void> {
  const { read } = hive.engine;
  const [approval] = await read.select(approvalTable, { index: "by_state", equals: ["pending"] });
  const word = { type: "approval.decide", decision: "deny", scope, reason: "never", by: "tester" };
  await hive.engine.send(approval?.address ?? "", word, { origin: "cli" });
}

async function newestRun({ engine }: TestHive) {
  const run = (await runsOf(engine.read)).at(-1);
  if (run === undefined) throw new Error("nothing ran");
  return run;
}

async function lastStepOf({ engine }: TestHive, address: string): Promise<number> {
  const steps = await engine.read.select(journalTable, { index: "by_address", equals: [address] });
  return steps.at(-1)?.seq ?? 0;
}

const grants = ({ engine }: TestHive): Promise<Grant[]> =>
  engine.read.select(grantTable, { index: "key" });

const pending = ({ engine }: TestHive) =>
  engine.read.select(approvalTable, { index: "by_state", equals: ["pending"] });

describe("a fork", () => {
  it("is refused unasked what a person refused for the session", async () => {
    const hive = await createTestHive();
    await hive.say(write);
    await hive.engine.settled();
    await deny(hive, "session");
    await hive.engine.settled();
    const run = await newestRun(hive);
    const forked = await fork(hive, run.run_id, {
      at: await lastStepOf(hive, run.address),
      text: write,
    });
    await hive.engine.settled();
    expect(await pending(hive)).toEqual([]);
    expect(spoken(await messagesIn(hive, forked.session_id)).join("\n")).toContain("never");
    const [first, own] = await grants(hive);
    expect(own).toMatchObject({
      ...first,
      grant_id: `g${forked.run_id.slice(1)}-0`,
      session_address: forked.address,
      owner: forked.address,
    });
    const revoke = { type: "grant.revoke", grant_id: own?.grant_id ?? "", by: "tester" };
    await hive.engine.send(forked.address, revoke, { origin: "cli" });
    expect(await grants(hive)).toEqual([first]);
  });

  it("of a task that goes on keeps what was refused for that task, and forgets it with its own", async () => {
    const hive = await createTestHive();
    await hive.say(`${write}\ncall file_write {"path":"b.txt","content":"x"}`);
    await hive.engine.settled();
    await deny(hive, "task");
    await hive.engine.settled();
    const run = await newestRun(hive);
    const before = await grants(hive);
    expect(before.map(({ scope }) => scope)).toEqual(["task"]);
    const denied = before[0]?.capability.split(":").at(-1) ?? "";
    const text = `call file_write {"path":"${denied}","content":"y"}`;
    const forked = await fork(hive, run.run_id, { at: await lastStepOf(hive, run.address), text });
    await hive.engine.settled();
    expect((await pending(hive)).map(({ run_id }) => run_id)).toEqual([run.run_id]);
    expect(spoken(await messagesIn(hive, forked.session_id)).join("\n")).toContain("never");
    expect(await grants(hive)).toEqual(before);
  });

  it.each(["in the journal", "gone from it"])(
    "keeps its task inside the boundary of the one it is taken from, whose beginning is %s",
    async (where) => {
      const hive = await createTestHive();
      const bounded = { type: "message.received", text: "hello", boundary: ["fs.read:**"] };
      const input = { key: place, agent_id: "main", queue_cap: 100, ttl_ms: 1_800_000 };
      await hive.engine.send(sessionAddress(place), bounded, {
        origin: "cli",
        create: { machine: "session", input },
      });
      await hive.engine.settled();
      const run = await newestRun(hive);
      const at = await lastStepOf(hive, run.address);
      if (where === "gone from it") {
        hive.store.begin();
        hive.store.remove(journalTable, run.seq);
        await hive.store.commit();
      }
      const forked = await fork(hive, run.run_id, { at, text: write });
      await hive.engine.settled();
      expect(await pending(hive)).toEqual([]);
      const said = spoken(await messagesIn(hive, forked.session_id)).join("\n");
      expect(said).toContain("permission.denied: fs.write:a.txt is outside the task's boundary.");
      const task = await hive.engine.read.get(taskTable, `t${forked.run_id.slice(1)}`);
      expect(task?.boundary).toEqual(["fs.read:**"]);
    },
  );

  it("goes into no conversation that has its name already, and says so", async () => {
    const hive = await createTestHive();
    await hive.say("hello");
    await hive.engine.settled();
    const run = await newestRun(hive);
    const at = await lastStepOf(hive, run.address);
    const sample = await fork(hive, run.run_id, { at, key: "k" });
    await hive.engine.settled();
    expect((await fork(hive, run.run_id, { at, key: "k" })).run_id).toBe(sample.run_id);
    hive.store.begin();
    hive.store.remove(idempotencyTable, `fork ${run.run_id} ${at} k`);
    await hive.store.commit();
    const before = await messagesIn(hive, sample.session_id);
    await expect(fork(hive, run.run_id, { at, key: "k" })).rejects.toMatchObject({ code: "usage" });
    await hive.engine.settled();
    expect(await messagesIn(hive, sample.session_id)).toEqual(before);
  });

  it("is not answered by what was sent before under its key", async () => {
    const hive = await createTestHive();
    await hive.say("hello");
    await hive.engine.settled();
    const run = await newestRun(hive);
    const at = await lastStepOf(hive, run.address);
    await hive.say("something else", place, `fork ${run.run_id} ${at} k`);
    await hive.engine.settled();
    await expect(fork(hive, run.run_id, { at, key: "k" })).rejects.toThrow(
      "The idempotency key k stands for something else.",
    );
  });
});

import { describe, expect, it } from "vitest";
import { sessionAddress } from "../../src/actors/session-key.ts";
import { type DecisionScope, grantTable } from "../../src/schema/rows/permission-rows.ts";
import { taskTable } from "../../src/schema/rows/run-rows.ts";
import { approvals, audit, decide, pendingApproval, results } from "../actors/hive-watch.ts";
import { createTestHive, place, type TestHive } from "../support/hive.ts";

/** How far a person's word reaches, and how it ends. */

const write = (path = "a.txt") => `call file_write {"path":"${path}","content":"hi"}`;
const grants = (hive: TestHive) => hive.engine.read.select(grantTable, { index: "by_given" });

async function say(hive: TestHive, text: string): Promise<void> {
  await hive.say(text);
  await hive.engine.settled();
}

async function decided(said: Parameters<typeof decide>[1]): Promise<TestHive> {
  const hive = await createTestHive();
  await say(hive, write());
  await decide(hive, said);
  await hive.engine.settled();
  return hive;
}

const toSession = (hive: TestHive, event: { type: string; [key: string]: string }) =>
  hive.engine.send(sessionAddress(place), event, { origin: "cli" });

describe("a grant", () => {
  it.each([
    ["step", 0],
    ["run", 0],
    ["task", 0],
    ["session", 1],
  ] as const)("for a %s is gone with it", async (scope: DecisionScope, left) => {
    const hive = await decided({ scope });
    expect(await hive.lastRun()).toMatchObject({ state: "done" });
    expect(await grants(hive)).toHaveLength(left);
    await say(hive, write());
    expect(await approvals(hive)).toHaveLength(2 - left);
  });

  it.each(["step", "run", "task", "session"] as const)(
    "for a %s is gone when its run is cancelled and its session reset",
    async (scope) => {
      const hive = await createTestHive();
      await say(hive, `${write()}\n${write("b.txt")}`);
      await decide(hive, { scope });
      await hive.engine.settled();
      expect(await grants(hive)).toMatchObject([{ scope, capability: "fs.write:a.txt" }]);
      await toSession(hive, { type: "session.cancel" });
      await hive.engine.settled();
      expect(await grants(hive)).toEqual([]);
    },
  );

  it("reaches what is like it at once, within its owner", async () => {
    const hive = await createTestHive();
    await say(hive, `${write()}\n${write("b.txt")}`);
    await decide(hive, { scope: "run" });
    expect((await grants(hive))[0]?.owner).toMatch(/\/run\/r\d+$/);
  });

  it("of a directory is given only where it is that of the very path, and covers what is in it", async () => {
    const hive = await createTestHive();
    await say(hive, write("notes/a.txt"));
    await decide(hive, { scope: "session", grants: ["fs.write:**", "fs.write:notes/**"] });
    await hive.engine.settled();
    expect(await grants(hive)).toMatchObject([{ capability: "fs.write:notes/**" }]);
    await say(hive, write("notes/b.txt"));
    expect(await approvals(hive)).toHaveLength(1);
    await say(hive, write("b.txt"));
    await decide(hive, { scope: "session", grants: ["fs.write:**"] });
    expect((await grants(hive)).map(({ capability }) => capability)).toContain("fs.write:b.txt");
  });

  it("ends at its time, and its row with it, so that no clock revives it", async () => {
    const hive = await decided({ scope: "session", until: 1_060_000 });
    expect(await grants(hive)).toMatchObject([{ expires_at: 1_060_000 }]);
    hive.clock.advance(59_999);
    await hive.engine.settled();
    expect(await grants(hive)).toHaveLength(1);
    hive.clock.advance(1);
    await hive.engine.settled();
    expect(await grants(hive)).toEqual([]);
  });

  it("is taken back at once, and the audit says by whom", async () => {
    const hive = await decided({ scope: "session" });
    const [grant] = await grants(hive);
    const id = grant?.grant_id ?? "";
    await toSession(hive, { type: "grant.revoke", grant_id: id, by: "bob" });
    expect(await grants(hive)).toEqual([]);
    expect((await audit(hive)).at(-1)).toMatchObject({
      kind: "decision",
      status: "revoked",
      decided_by: "bob",
      tool: "file_write",
      requested_capabilities: ["fs.write:a.txt"],
      reason: `bob took back ${id}: fs.write:a.txt for the session.`,
    });
    await toSession(hive, { type: "grant.revoke", grant_id: id, by: "bob" });
    expect((await audit(hive)).filter(({ status }) => status === "revoked")).toHaveLength(1);
    await say(hive, write());
    expect((await pendingApproval(hive)).tool).toBe("file_write");
  });
});

describe("a no", () => {
  it("for the session refuses what is like it unasked, with the person's reason", async () => {
    const hive = await decided({ decision: "deny", scope: "session", reason: "Not here." });
    await say(hive, `${write()}\n${write("b.txt")}`);
    const said = await results(hive);
    const { approval_id } = (await approvals(hive))[0] ?? { approval_id: "" };
    expect(said[1]).toBe(
      `permission.denied: A person denied this for the session (${approval_id}): Not here.`,
    );
    expect((await pendingApproval(hive)).summary).toBe("Write 2 bytes to b.txt");
  });
});

describe("a task with a boundary", () => {
  const bounded = (hive: TestHive, boundary: readonly string[], queue?: string) =>
    hive.engine.send(
      sessionAddress(place),
      {
        type: "message.received",
        text: `${write("notes/a.txt")}\n${write("b.txt")}`,
        boundary: [...boundary],
        ...(queue === undefined ? {} : { queue }),
      },
      {
        origin: "cli",
        create: {
          machine: "session",
          input: { key: place, agent_id: "main", queue_cap: 100, ttl_ms: 1_800_000 },
        },
      },
    );

  it("does what is inside and is refused the rest, in words that name the task", async () => {
    const hive = await createTestHive();
    await bounded(hive, ["fs.write:notes/**"]);
    await hive.engine.settled();
    expect(await approvals(hive)).toMatchObject([{ requested: ["fs.write:notes/a.txt"] }]);
    await decide(hive);
    await hive.engine.settled();
    expect(await results(hive)).toContain(
      "permission.denied: fs.write:b.txt is outside the task's boundary.",
    );
    const [task] = await hive.engine.read.select(taskTable, { index: "by_created" });
    expect(task?.boundary).toEqual(["fs.write:notes/**"]);
  });

  it("never gets what is beyond its agent, even past the check of the message", async () => {
    const hive = await createTestHive();
    await bounded(hive, ["fs.write:notes/**", "net.fetch:*"]);
    await hive.engine.settled();
    const [task] = await hive.engine.read.select(taskTable, { index: "by_created" });
    expect(task?.boundary).toEqual(["fs.write:notes/**"]);
  });

  it.each(["steer", "collect", "interrupt"])("has a run of its own, also by %s", async (queue) => {
    const hive = await createTestHive();
    await say(hive, write());
    await bounded(hive, ["fs.read:**"], queue);
    await decide(hive, { decision: "deny" }).catch(() => undefined);
    await hive.engine.settled();
    const tasks = await hive.engine.read.select(taskTable, { index: "by_created" });
    expect(tasks.map(({ boundary }) => boundary)).toContainEqual(["fs.read:**"]);
    expect(tasks).toHaveLength(2);
  });
});

import { describe, expect, it } from "vitest";
import { sessionAddress } from "../../src/actors/session-key.ts";
import type { Agent } from "../../src/actors/agent.ts";
import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { ContentBlock } from "../../src/schema/llm.ts";
import { grantTable } from "../../src/schema/rows/permission-rows.ts";
import { approvals, audit, pendingApproval, results, runs } from "../actors/hive-watch.ts";
import { agentWith, fixedAgents, providerOf } from "../actors/test-agents.ts";
import { crashEverywhere } from "../support/crash-driver.ts";
import { libsqlDisk, memoryDisk } from "../support/disks.ts";
import { createTestHive, place, type TestHive } from "../support/hive.ts";
import { chatOf, countedFiles, personAt } from "./approval-desk.ts";

/** Attacks on approvals: each is refused with a word of its own, and has no effect. */

const write = (path: string) => `call file_write {"path":"${path}","content":"hi"}`;
const dayMs = 86_400_000;
const hourMs = 3_600_000;

async function asked(hive: TestHive, text = write("a.txt"), to?: string) {
  await hive.say(text, to);
  await hive.engine.settled();
}

describe("the same yes twice", () => {
  it("A01: executes once, whether it comes again later or at the same time from somewhere else", async () => {
    const { files, writes } = countedFiles();
    const hive = await createTestHive({ files });
    await asked(hive);
    const { approval_id: id } = await pendingApproval(hive);
    const allow = { id, decision: "approve" } as const;
    const both = await Promise.allSettled([
      personAt(hive, "cli").ask("approvals.decide", allow),
      personAt(hive, "tui").ask("approvals.decide", allow),
    ]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    await hive.engine.settled();
    expect(await personAt(hive, "api").refused("approvals.decide", allow)).toMatchObject({
      code: "approval.already_decided",
      message: `${id} was approved by cli at 1970-01-01T00:16:40.000Z.`,
      hint: expect.stringContaining("the first answer counts"),
    });
    expect(writes).toEqual(["a.txt"]);
    expect((await audit(hive)).map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      "decision approved",
      "decision refused",
      "invocation done",
      "decision refused",
    ]);
  });

  it.each([
    ["memory", memoryDisk],
    ["libSQL", libsqlDisk],
  ])("A01: executes once over a restart on %s too", async (_name, makeDisk) => {
    const disk = await makeDisk(allTables);
    const { files, writes } = countedFiles();
    const clock = createSimulatedClock(1_000_000);
    const open = async () => createTestHive({ store: await disk.open(), files, clock });
    const before = await open();
    await asked(before);
    const { approval_id: id } = await pendingApproval(before);
    await personAt(before).ask("approvals.decide", { id, decision: "approve" });
    await before.engine.settled();
    await disk.crash();
    const after = await open();
    expect(
      await personAt(after).refused("approvals.decide", { id, decision: "approve" }),
    ).toMatchObject({ code: "approval.already_decided" });
    await after.engine.settled();
    expect(writes).toEqual(["a.txt"]);
    await after.engine.close();
    await disk.dispose();
  });
});

describe("a yes of somebody else", () => {
  const connectors = () => [
    { id: "tg_main", type: "telegram", approvers: ["1001"] },
    { id: "tg_ops", type: "telegram", approvers: ["2002"] },
  ];
  const strangers = [
    "tg_main:1002",
    "tg_main:10011",
    "tg_main:100",
    "tg_main:@ann",
    "tg_main:1001 ",
    "TG_MAIN:1001",
    "tg_ops:1001",
    "tg_ops:2002",
    "1001",
    "cli",
    "owner",
  ];

  it("A02: is refused by the chart and stands in the audit; the named one's counts", async () => {
    const { files, writes } = countedFiles();
    const hive = await createTestHive({ files, connectors });
    await asked(hive, write("a.txt"), chatOf("tg_main", "1002"));
    const { approval_id: id, approvers } = await pendingApproval(hive);
    expect(approvers).toEqual(["tg_main:1001"]);
    for (const name of strangers) {
      const person = personAt(hive, "channel", name);
      expect(await person.refused("approvals.decide", { id, decision: "approve" })).toEqual({
        code: "approval.not_approver",
        message: `${name} may not decide ${id}.`,
        hint: "the owner decides it, or one of the connector's `approvers`",
        retryable: false,
      });
    }
    await hive.engine.settled();
    expect(writes).toEqual([]);
    expect((await pendingApproval(hive)).approval_id).toBe(id);
    expect((await audit(hive)).map(({ status, decided_by }) => [status, decided_by])).toEqual(
      strangers.map((name) => ["refused", name]),
    );

    const named = personAt(hive, "channel", "tg_main:1001");
    expect(await named.ask("approvals.decide", { id, decision: "approve" })).toMatchObject({
      id,
      state: "approved",
    });
    await hive.engine.settled();
    expect(writes).toEqual(["a.txt"]);
    const late = personAt(hive, "channel", "tg_main:1002");
    expect(await late.refused("approvals.decide", { id, decision: "deny" })).toMatchObject({
      code: "approval.not_approver",
    });
  });

  it("A02: of a channel never counts for a conversation at this machine; the owner's counts everywhere", async () => {
    const hive = await createTestHive({ connectors });
    await asked(hive);
    const { approval_id: id, approvers } = await pendingApproval(hive);
    expect(approvers).toEqual([]);
    const approver = personAt(hive, "channel", "tg_main:1001");
    expect(await approver.refused("approvals.decide", { id, decision: "approve" })).toMatchObject({
      code: "approval.not_approver",
    });
    await asked(hive, write("b.txt"), chatOf("tg_main", "1002"));
    const [, other] = await approvals(hive);
    const decision = { id: other?.approval_id ?? "", decision: "approve" } as const;
    expect(await personAt(hive, "tui").ask("approvals.decide", decision)).toMatchObject({
      state: "approved",
    });
  });

  it("A02: a question may also be answered by the person whom the agent talks with, and by nobody beside", async () => {
    const hive = await createTestHive({ connectors });
    await asked(hive, 'call ask_user {"question":"Tea?"}', chatOf("tg_main", "1002"));
    const { approval_id: id } = await pendingApproval(hive);
    const answer = { id, value: "yes" };
    const stranger = personAt(hive, "channel", "tg_main:1003");
    expect((await stranger.refused("approvals.answer", answer)).code).toBe("approval.not_approver");
    const person = personAt(hive, "channel", "tg_main:1002");
    expect(await person.ask("approvals.answer", answer)).toMatchObject({ state: "answered" });
  });
});

describe("a yes that comes too late", () => {
  const allow = (id: string) => ({ id, decision: "approve" }) as const;
  const ended = (id: string) => ({
    code: "approval.ended",
    message: `${id} ended at its deadline, 1970-01-02T00:16:40.000Z: nobody had answered, so it counts as denied.`,
  });

  it("A03: is refused after the deadline, also by a clock that was set back an hour", async () => {
    const { files, writes } = countedFiles();
    const store = createMemoryStore({ tables: allTables, strict: true });
    const hive = await createTestHive({ store, files });
    await asked(hive);
    const { approval_id: id } = await pendingApproval(hive);
    hive.clock.advance(dayMs);
    await hive.engine.settled();
    expect(await personAt(hive).refused("approvals.decide", allow(id))).toMatchObject(ended(id));
    const clock = createSimulatedClock(hive.clock.now() - hourMs);
    const next = await createTestHive({ store: store.crash(), files, clock });
    expect(await personAt(next).refused("approvals.decide", allow(id))).toMatchObject(ended(id));
    await next.engine.settled();
    expect(writes).toEqual([]);
  });

  it("A03: is refused where the deadline passed while the service was away", async () => {
    const { files, writes } = countedFiles();
    const store = createMemoryStore({ tables: allTables, strict: true });
    const before = await createTestHive({ store, files });
    await asked(before);
    const { approval_id: id } = await pendingApproval(before);
    const clock = createSimulatedClock(before.clock.now() + dayMs);
    const after = await createTestHive({ store: store.crash(), files, clock });
    expect(await personAt(after).refused("approvals.decide", allow(id))).toMatchObject(ended(id));
    await after.engine.settled();
    expect(writes).toEqual([]);
  });

  it("A03: is refused at the deadline itself, before its timer has fired", async () => {
    const { files, writes } = countedFiles();
    const simulated = createSimulatedClock(1_000_000);
    let ahead = 0;
    const clock: Clock = { ...simulated, now: () => simulated.now() + ahead };
    const hive = await createTestHive({ files, clock: { ...simulated, ...clock } });
    await asked(hive);
    const { approval_id: id } = await pendingApproval(hive);
    ahead = dayMs;
    expect(await personAt(hive).refused("approvals.decide", allow(id))).toMatchObject({
      code: "approval.ended",
      message: `The deadline of ${id} has passed; the default holds: deny.`,
    });
    expect(await audit(hive)).toMatchObject([{ status: "refused", error: "approval.ended" }]);
    expect(writes).toEqual([]);
  });

  it("A08: is refused after the run was cancelled, and says so", async () => {
    const { files, writes } = countedFiles();
    const hive = await createTestHive({ files });
    await asked(hive);
    const { approval_id: id, run_id } = await pendingApproval(hive);
    const [run] = await runs(hive);
    await hive.engine.send(run?.address ?? run_id, { type: "run.cancel" }, { origin: "cli" });
    await hive.engine.settled();
    expect(await personAt(hive).refused("approvals.decide", allow(id))).toMatchObject({
      code: "approval.ended",
      message: `${id} was cancelled at 1970-01-01T00:16:40.000Z: the call was cancelled. It did not run.`,
    });
    expect(writes).toEqual([]);
  });
});

describe("a yes to something else", () => {
  it("A04: bound to one question it counts for no other run, step, input, chat or connector", async () => {
    const { files, writes } = countedFiles();
    const hive = await createTestHive({ files });
    const places = [place, chatOf("local", "other"), chatOf("tg_main", "1"), chatOf("tg_ops", "1")];
    for (const to of places) await asked(hive, `${write("a.txt")}\n${write("b.txt")}`, to);
    const all = await approvals(hive);
    expect(all).toHaveLength(8);
    expect(new Set(all.map(({ binding }) => binding)).size).toBe(8);
    const person = personAt(hive);
    for (const one of all)
      for (const other of all.filter((each) => each !== one))
        expect(
          await person.refused("approvals.decide", {
            id: one.approval_id,
            decision: "approve",
            binding: other.binding,
          }),
        ).toMatchObject({
          code: "approval.changed",
          message: `What was shown is not what ${one.approval_id} asks.`,
          hint: `look again: \`statehive approvals show ${one.approval_id}\`, then decide`,
        });
    const [first] = all;
    const { approval_id: id = "", binding = "" } = first ?? {};
    await person.ask("approvals.decide", { id, decision: "approve", binding });
    await hive.engine.settled();
    expect(writes).toEqual(["a.txt"]);
    expect((await approvals(hive)).filter(({ state }) => state === "pending")).toHaveLength(7);
  });

  it("A05: a guessed or truncated id names nothing, a truncated binding fits nothing", async () => {
    const hive = await createTestHive();
    await asked(hive);
    const { approval_id: id, binding } = await pendingApproval(hive);
    const person = personAt(hive);
    const guesses = [
      id.slice(0, -1),
      id.slice(1),
      `${id} `,
      ` ${id}`,
      id.toUpperCase(),
      `${id}\0`,
      `a0${id.slice(1)}`,
      "x".repeat(64),
    ];
    for (const guess of guesses)
      expect(
        await person.refused("approvals.decide", { id: guess, decision: "approve" }),
      ).toMatchObject({
        code: "approval.not_found",
      });
    for (const foreign of [
      "",
      binding.slice(0, -1),
      `${binding}0`,
      binding.toUpperCase(),
      "0".repeat(64),
    ])
      expect(
        await person.refused("approvals.decide", { id, decision: "approve", binding: foreign }),
      ).toMatchObject({ code: "approval.changed" });
    expect((await pendingApproval(hive)).approval_id).toBe(id);
  });

  it("A06: a call that comes again under its id with other arguments is asked about anew", async () => {
    const { files, writes } = countedFiles();
    const rounds = ["a.txt", "b.txt"].map((path): ContentBlock[] => [
      { type: "tool_use", id: "call-1", name: "file_write", input: { path, content: "hi" } },
    ]);
    let round = 0;
    const provider = providerOf(() => {
      const content = rounds[round++];
      return content === undefined ? {} : { content, stop_reason: "tool_use" };
    });
    const agent = agentWith({ files, model: () => ({ provider, model: "changing" }) });
    const hive = await createTestHive({ agents: fixedAgents(agent) });
    await asked(hive, "go");
    const first = await pendingApproval(hive);
    await personAt(hive).ask("approvals.decide", { id: first.approval_id, decision: "approve" });
    await hive.engine.settled();
    const second = await pendingApproval(hive);
    expect(second).toMatchObject({ input: { path: "b.txt", content: "hi" } });
    expect(second.binding).not.toBe(first.binding);
    expect(writes).toEqual(["a.txt"]);
  });
});

describe("a death after the yes", () => {
  it("A09: wherever it comes, the call is executed once, or it is asked what became of it", async () => {
    const plays = await crashEverywhere({
      makeDisk: () => memoryDisk(allTables),
      stage: () => {
        const { files, writes } = countedFiles();
        const clock = createSimulatedClock(1_000_000);
        return async (disk, faultPoint) => {
          const hive = await createTestHive({ store: await disk.open(), clock, files, faultPoint });
          await alive(hive);
          await hive.say(write("a.txt"), place, "once");
          await alive(hive);
          for (const { approval_id: id, kind, state } of await approvals(hive))
            if (kind === "call" && state === "pending")
              await personAt(hive).ask("approvals.decide", { id, decision: "approve" });
          await alive(hive);
          const open = (await approvals(hive)).filter(({ state }) => state === "pending");
          return { writes: writes.length, asked: open.map(({ kind }) => kind) };
        };
      },
    });
    const ends = new Set(plays.map(({ result }) => JSON.stringify(result)));
    expect([...ends].toSorted()).toEqual([
      '{"writes":0,"asked":["outcome"]}',
      '{"writes":1,"asked":["outcome"]}',
      '{"writes":1,"asked":[]}',
    ]);
    expect(plays.length).toBeGreaterThan(15);
  });

  /** A dead engine says so. */
  async function alive(hive: TestHive): Promise<void> {
    await hive.engine.settled();
    await hive.engine.send("nobody", { type: "run.cancel" }, { origin: "cli" });
  }
});

it("A10: a model that repeats a denied call is stopped, and a person is not asked twenty times", async () => {
  let round = 0;
  const provider = providerOf(() => {
    round += 1;
    const input = { path: "a.txt", content: "hi" };
    return {
      content: [{ type: "tool_use", id: `call-${round}`, name: "file_write", input }],
      stop_reason: "tool_use",
    };
  });
  const agent = agentWith({ model: () => ({ provider, model: "stubborn" }) });
  const hive = await createTestHive({ agents: fixedAgents(agent) });
  await asked(hive, "go");
  let denials = 0;
  for (; denials < 20; denials += 1) {
    const open = (await approvals(hive)).find(({ state }) => state === "pending");
    if (open === undefined) break;
    const denial = { id: open.approval_id, decision: "deny", reason: "Not that file." } as const;
    await personAt(hive).ask("approvals.decide", denial);
    await hive.engine.settled();
  }
  expect(denials).toBe(2);
  const [run] = await runs(hive);
  expect(run).toMatchObject({ state: "failed", error: { code: "run.identical_calls" } });
  expect((await results(hive))[0]).toContain("Their reason: Not that file.");
});

describe("a grant for the session", () => {
  const isAsked = async (hive: TestHive, to: string) => {
    const before = (await approvals(hive)).length;
    await asked(hive, write("a.txt"), to);
    return (await approvals(hive)).length - before === 1;
  };

  async function granted(hive: TestHive, to: string): Promise<void> {
    await asked(hive, write("a.txt"), to);
    const { approval_id: id } = await pendingApproval(hive);
    await personAt(hive).ask("approvals.decide", { id, decision: "approve", scope: "session" });
    await hive.engine.settled();
  }

  it("A12: is none for another chat, connector, user or agent", async () => {
    const hive = await createTestHive();
    const own = chatOf("tg_main", "1001");
    await granted(hive, own);
    expect(await isAsked(hive, own)).toBe(false);
    const others = [
      chatOf("tg_main", "1001", "-101"),
      chatOf("tg_ops", "1001"),
      chatOf("tg_main", "1002"),
      own.replace(/main$/, "other"),
      chatOf("tg_main", "100"),
    ];
    for (const other of others) expect([other, await isAsked(hive, other)]).toEqual([other, true]);
  });

  it("A12: outlives a restart as its session does, and is gone with the session", async () => {
    const store = createMemoryStore({ tables: allTables, strict: true });
    const before = await createTestHive({ store });
    await granted(before, place);
    const hive = await createTestHive({ store: store.crash(), clock: before.clock });
    expect(await isAsked(hive, place)).toBe(false);
    await hive.engine.send(sessionAddress(place), { type: "session.cancel" }, { origin: "cli" });
    await hive.engine.settled();
    expect(await hive.engine.read.select(grantTable, { index: "key" })).toEqual([]);
    expect(await isAsked(hive, place)).toBe(true);
  });
});

it("A13: a call whose tool was denied while the question waited is refused at its start", async () => {
  const { files, writes } = countedFiles();
  let agent: Agent = agentWith({ files });
  const hive = await createTestHive({ agents: { get: () => agent, restore: () => undefined } });
  await asked(hive);
  const { approval_id: id } = await pendingApproval(hive);
  agent = { ...agent, policy: { ...agent.policy, deny: ["fs.write:**"] } };
  await personAt(hive).ask("approvals.decide", { id, decision: "approve" });
  await hive.engine.settled();
  expect(writes).toEqual([]);
  expect(await results(hive)).toEqual([expect.stringMatching(/^permission\.denied: /)]);
  expect((await audit(hive)).map(({ status, decided_by }) => [status, decided_by])).toEqual([
    ["approved", "cli"],
    ["denied", "policy"],
  ]);
});

import { afterEach, describe, expect, it } from "vitest";
import { createMemoryFiles } from "../../../src/adapters/files/memory-files.ts";
import { createAnthropicProvider } from "../../../src/adapters/model/anthropic.ts";
import { forkedFrom } from "../../../src/app/fork/forked-from.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { verifyAudit } from "../../../src/app/records/verify-audit.ts";
import { journalTable } from "../../../src/engine/tables.ts";
import { auditTable } from "../../../src/schema/rows/audit-rows.ts";
import { approvalTable, grantTable } from "../../../src/schema/rows/permission-rows.ts";
import { toErrorData } from "../../../src/schema/errors.ts";
import { inboxTable, messageTable, sessionTable } from "../../../src/schema/rows/session-rows.ts";
import { says, startAnthropicServer } from "../../support/anthropic-server.ts";
import { crashEverywhere } from "../../support/crash-driver.ts";
import { libsqlDisk, memoryDisk } from "../../support/disks.ts";
import { fork, messagesIn, spoken } from "../../support/forks.ts";
import { heldModel } from "../../support/held-model.ts";
import { createTestHive, place, type TestHive } from "../../support/hive.ts";
import { runsOf } from "../../support/replays.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const twoFiles = { "a.txt": "one", "b.txt": "two" };

/** Steps of the run, from the table in replay.test.ts: 3 it begins, 5 the model asks for two files, 8 and 10 their results. */
async function readsTwo(hive: TestHive): Promise<string> {
  await hive.say('call file_read {"path":"a.txt"}\ncall file_read {"path":"b.txt"}');
  await hive.engine.settled();
  const [run] = await runsOf(hive.engine.read);
  return run?.run_id ?? "";
}

/** The steps whose event is this one. */
async function stepsOf(hive: TestHive, event_type: string): Promise<number[]> {
  const rows = await hive.engine.read.select(journalTable, { index: "key" });
  return rows.filter((row) => row.event_type === event_type).map(({ seq }) => seq);
}

describe.each([
  ["memory", memoryDisk],
  ["libsql", libsqlDisk],
] as const)("a fork over the %s store", (_name, makeDisk) => {
  it("goes on from what was said until then, in a session of its own", async () => {
    const disk = await makeDisk(allTables);
    cleanups.push(() => disk.dispose());
    const hive = await createTestHive({
      store: await disk.open(),
      files: createMemoryFiles(twoFiles),
    });
    const id = await readsTwo(hive);
    const before = await messagesIn(hive, "s1");
    const [, at = 0] = await stepsOf(hive, "xstate.done.actor.executeTool");
    const forked = await fork(hive, id, { at, text: "hello" });
    await hive.engine.settled();
    expect(forked).toMatchObject({
      agent_id: "main",
      session: expect.stringMatching(`^fork-${id}-${at}-[0-9a-f]{8}$`),
      forked_from: { run_id: id, at },
      messages: 4,
      cut_calls: 0,
      is_shortened: false,
    });
    const after = await messagesIn(hive, forked.session_id);
    expect(spoken(after)).toEqual([
      ...spoken(before.slice(0, 4)),
      "user: hello",
      expect.stringMatching(/^assistant: I am the built-in offline model/),
    ]);
    expect(after.map(({ content }) => content[0]?.origin).slice(0, 4)).toEqual(
      before.map(({ content }) => content[0]?.origin).slice(0, 4),
    );
    expect(await messagesIn(hive, "s1")).toEqual(before);
    expect((await runsOf(hive.engine.read)).map(({ run_id }) => run_id)).toEqual([
      id,
      forked.run_id,
    ]);
    expect(await forkedFrom(hive.engine.read, forked.session_id)).toEqual({ run_id: id, at });
    expect(await forkedFrom(hive.engine.read, "s1")).toBeNull();
    expect((await verifyAudit(hive.engine.read)).fault).toBeNull();
    await hive.engine.close();
  });
});

describe("a fork", () => {
  async function hiveWithTwo() {
    const hive = await createTestHive({ files: createMemoryFiles(twoFiles) });
    return { hive, id: await readsTwo(hive) };
  }

  it("from the middle of a round closes the calls that had no result, and says so", async () => {
    const { hive, id } = await hiveWithTwo();
    const [at = 0] = await stepsOf(hive, "xstate.done.actor.executeTool");
    const forked = await fork(hive, id, { at });
    expect(forked).toMatchObject({ messages: 4, cut_calls: 1 });
    const [, , first, second] = await messagesIn(hive, forked.session_id);
    expect(first?.content[0]).toMatchObject({ tool_call_id: "offline_1", is_error: false });
    expect(second?.content[0]).toEqual({
      type: "tool_result",
      tool_call_id: "offline_2",
      output:
        "activity.outcome_unknown: This conversation was forked here, before the call had a result. Whether it took effect is not known.",
      is_error: true,
      origin: "statehive",
    });
  });

  it("is taken by a provider from every step of a run that thinks, calls and answers", async () => {
    const use = (id: string, path: string) => ({
      type: "tool_use",
      id,
      name: "file_read",
      input: { path },
    });
    const script = [
      {
        content: [
          { type: "thinking", thinking: "two files", signature: "sig" },
          use("c1", "a.txt"),
          use("c2", "b.txt"),
        ],
      },
      { content: [{ type: "text", text: "again" }, use("c3", "a.txt")] },
      says("Both."),
    ];
    const server = await startAnthropicServer((_, n) => script[n - 1] ?? says("Forked."));
    const { url: baseUrl } = server;
    const provider = createAnthropicProvider({ id: "anthropic", apiKey: "key", baseUrl });
    const hive = await createTestHive({ provider, files: createMemoryFiles(twoFiles) });
    cleanups.push(
      () => server.close(),
      () => hive.engine.close(),
    );
    const id = await readsTwo(hive);
    const rows = await hive.engine.read.select(journalTable, { index: "key" });
    const steps = rows.filter(({ address }) => address.includes(`/run/${id}`));
    for (const { seq } of steps) {
      await fork(hive, id, { at: seq });
      await hive.engine.settled();
    }
    const [, ...forks] = await runsOf(hive.engine.read);
    expect(forks).toHaveLength(steps.length);
    expect(forks.filter(({ reply }) => reply !== "Forked.")).toEqual([]);
    const told = server.requests.map(({ messages }) => JSON.stringify(messages));
    expect(told.some((messages) => messages.includes("Both."))).toBe(true);
  });

  it("shows its model the whole of the run that it is taken from, however long that was", async () => {
    const { provider, next } = heldModel();
    const hive = await createTestHive({ provider, historyMessages: 6 });
    await hive.say("a long task");
    for (let round = 0; round < 10; round += 1)
      (await next()).calls("file_list", { path: `place${round}` });
    (await next()).says("done");
    await hive.engine.settled();
    const [run] = await runsOf(hive.engine.read);
    const steps = await stepsOf(hive, "xstate.done.actor.callModel");
    await fork(hive, run?.run_id ?? "", { at: steps.at(-2) ?? 0, text: "go on otherwise" });
    const { request, says: answer } = await next();
    expect(request.messages[0]?.content[0]).toMatchObject({ text: "a long task" });
    expect(request.messages).toHaveLength(21);
    expect(request.messages.at(-1)?.content.at(-1)).toMatchObject({ text: "go on otherwise" });
    answer("as you like");
    await hive.engine.settled();
  });

  it("of a run with more messages than can be carried still begins with what was wanted", async () => {
    const { provider, next } = heldModel();
    const hive = await createTestHive({ provider });
    await hive.say("a long task");
    const asked = await next();
    const [run] = await runsOf(hive.engine.read);
    hive.store.begin();
    for (let nth = 1; nth <= 950; nth += 1)
      hive.store.put(messageTable, {
        position: (run?.seq ?? 0) * 1000 + nth,
        session_id: "s1",
        run_id: run?.run_id ?? "",
        role: "assistant",
        content: [{ type: "text", text: `thought ${nth}` }],
        at: 0,
      });
    await hive.store.commit();
    const forked = await fork(hive, run?.run_id ?? "", { at: run?.seq ?? 0 });
    expect(forked).toMatchObject({ messages: 901, is_shortened: true });
    const { request, says: answer } = await next();
    expect(request.messages[0]?.content[0]).toMatchObject({ text: "a long task" });
    expect(request.messages[1]?.content.at(-1)).toMatchObject({ text: "thought 950" });
    answer("yes");
    asked.says("done");
    await hive.engine.settled();
  });

  it("takes neither grants nor questions nor waiting messages along, and leaves the run alone", async () => {
    const hive = await createTestHive();
    await hive.say('call file_write {"path":"a.txt","content":"x"}');
    await hive.engine.settled();
    const [approval] = await hive.engine.read.select(approvalTable, { index: "key" });
    const word = { type: "approval.decide", decision: "approve", scope: "session", by: "tester" };
    await hive.engine.send(approval?.address ?? "", word, { origin: "cli" });
    await hive.say('call file_write {"path":"b.txt","content":"x"}');
    await hive.engine.settled();
    await hive.say("this waits");
    const [, run] = await runsOf(hive.engine.read);
    const grants = await hive.engine.read.select(grantTable, { index: "key" });
    const [at = 0] = (await stepsOf(hive, "actor.created")).slice(-1);
    const text = 'call file_write {"path":"a.txt","content":"y"}';
    const forked = await fork(hive, run?.run_id ?? "", { at, text });
    await hive.engine.settled();
    const { read } = hive.engine;
    expect(await read.select(grantTable, { index: "key" })).toEqual(grants);
    expect(await read.select(inboxTable, { index: "by_owner", equals: [forked.address] })).toEqual(
      [],
    );
    const pending = await read.select(approvalTable, { index: "by_state", equals: ["pending"] });
    expect(pending.map(({ run_id }) => run_id)).toEqual([run?.run_id, forked.run_id]);
  });

  it("made twice is two sessions; made twice under one key it is one", async () => {
    const { hive, id } = await hiveWithTwo();
    const [at = 0] = await stepsOf(hive, "xstate.done.actor.callModel");
    const one = await fork(hive, id, { at });
    const other = await fork(hive, id, { at });
    const keyed = await fork(hive, id, { at, key: "k" });
    await hive.engine.settled();
    expect(await fork(hive, id, { at, key: "k" })).toEqual(keyed);
    expect(new Set([one, other, keyed].map(({ session_id }) => session_id)).size).toBe(3);
    expect(await runsOf(hive.engine.read)).toHaveLength(4);
    const elsewhere = await fork(hive, id, { at: at + 1, key: "k" });
    expect(elsewhere.session_id).not.toBe(keyed.session_id);
  });

  it("of a fork goes on from there, too", async () => {
    const { hive, id } = await hiveWithTwo();
    const [at = 0] = await stepsOf(hive, "xstate.done.actor.executeTool");
    const first = await fork(hive, id, { at, text: "hello" });
    await hive.engine.settled();
    const [last = 0] = (await stepsOf(hive, "xstate.done.actor.callModel")).slice(-1);
    const second = await fork(hive, first.run_id, { at: last, text: "hello again" });
    await hive.engine.settled();
    const said = spoken(await messagesIn(hive, second.session_id));
    expect(said.slice(0, 6)).toEqual(spoken(await messagesIn(hive, first.session_id)));
    expect(said[6]).toBe("user: hello again");
  });

  it("is written down in the audit: who, which run, which step", async () => {
    const { hive, id } = await hiveWithTwo();
    const forked = await fork(hive, id, { at: 5 });
    const rows = await hive.engine.read.select(auditTable, { index: "key" });
    expect(rows.filter(({ status }) => status === "forked")).toMatchObject([
      {
        kind: "decision",
        decided_by: "cli",
        run_id: forked.run_id,
        session: forked.session_id,
        trace_id: forked.trace_id,
        input: { run_id: id, at: 5 },
        reason: `cli forked ${id} at 5: ${forked.run_id} goes on from there.`,
      },
    ]);
  });

  it.each([
    ["a run that there is not", { id: "r99", at: 5 }, "actor.not_found: No run is called r99."],
    ["a step of somebody else", { id: "r2", at: 1 }, "step.not_found: r2 has no step 1."],
    ["a step that there is not", { id: "r2", at: 999 }, "step.not_found: r2 has no step 999."],
    ["an agent that is gone", { agents: {} }, "agent.not_found: No agent is called main."],
    [
      "a disabled agent",
      { agents: { main: false } },
      "agent.disabled: The agent main is disabled.",
    ],
  ])("of %s is refused, and nothing is written", async (_what, asked, refusal) => {
    const { hive } = await hiveWithTwo();
    const before = await hive.engine.read.select(messageTable, { index: "key" });
    const { id, at, agents } = { id: "r2", at: 5, agents: { main: true }, ...asked };
    const refused = await fork(hive, id, { at }, agents).catch(toErrorData);
    expect(refused).toMatchObject({ code: refusal.split(":")[0] });
    expect(refused).toMatchObject({ message: refusal.slice(refusal.indexOf(" ") + 1) });
    expect(await hive.engine.read.select(messageTable, { index: "key" })).toEqual(before);
    expect(await hive.engine.read.select(sessionTable, { index: "key" })).toHaveLength(1);
  });

  it("of a run whose journal is gone says that", async () => {
    const { hive, id } = await hiveWithTwo();
    const keep = { journalBefore: Infinity, endedActorsBefore: 0, idempotencyBefore: 0 };
    await hive.engine.prune(keep);
    await expect(fork(hive, id, { at: 5 })).rejects.toMatchObject({
      code: "step.not_found",
      message: `Step 5 of ${id} is not in the journal any more, or never was.`,
    });
  });
});

it("a fork that meets a crash at any commit is whole or not there, and made once", async () => {
  const plays = await crashEverywhere({
    makeDisk: () => memoryDisk(allTables),
    stage: () => async (disk, faultPoint) => {
      const files = createMemoryFiles(twoFiles);
      const hive = await createTestHive({ store: await disk.open(), files, faultPoint });
      await hive.engine.settled();
      await hive.say('call file_read {"path":"a.txt"}', place, "first");
      await hive.engine.settled();
      await hive.engine.send("nobody", { type: "run.cancel" }, { origin: "cli" });
      const found = await hive.engine.read.select(sessionTable, { index: "key" });
      for (const { session_id } of found)
        expect(await messagesIn(hive, session_id)).not.toEqual([]);
      await fork(hive, "r2", { at: 5, text: "hello", key: "fork" });
      await hive.engine.settled();
      await hive.engine.send("nobody", { type: "run.cancel" }, { origin: "cli" });
      const sessions = await hive.engine.read.select(sessionTable, { index: "key" });
      const runs = await runsOf(hive.engine.read);
      const forked = await messagesIn(hive, sessions[1]?.session_id ?? "");
      const result = {
        sessions: sessions.length,
        runs: runs.map(({ state }) => state),
        said: forked.map(({ role }) => role),
      };
      await hive.engine.close();
      return result;
    },
  });
  expect(plays.length).toBeGreaterThan(10);
  const whole = {
    sessions: 2,
    runs: ["done", "done"],
    said: ["user", "assistant", "tool", "user", "assistant"],
  };
  for (const { crashedAt, deaths, result } of plays)
    expect({ crashedAt, deaths, result }).toEqual({ crashedAt, deaths: 1, result: whole });
});

import { describe, expect, it } from "vitest";
import { actorHandlers } from "../../../src/app/api/actors.ts";
import { cancelHandlers } from "../../../src/app/api/cancels.ts";
import { auditPokes } from "../../../src/app/api/poke-audit.ts";
import { createNewsBus } from "../../../src/app/news/news.ts";
import { verifyAudit } from "../../../src/app/records/verify-audit.ts";
import { createMemoryStore } from "../../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { actorTable, journalTable } from "../../../src/engine/tables.ts";
import { createRedactor } from "../../../src/policy/redaction.ts";
import { auditTable } from "../../../src/schema/rows/audit-rows.ts";
import { type ParamsOf, methodParams } from "../../../src/schema/socket/protocol.ts";
import { runs } from "../../actors/hive-watch.ts";
import { createTestHive, place } from "../../support/hive.ts";
import { wrapStore } from "../../support/wrapped-store.ts";
import { AgentError } from "../../../src/schema/errors.ts";

const session = `session/${place}`;
const secret = "sk-very-secret-key-0123456789";
const caller = { origin: "tui", name: "tui" } as never;

async function pokedHive(options: Parameters<typeof createTestHive>[0] = {}) {
  const redactor = createRedactor([secret]);
  const hive = await createTestHive({ redactor, ...options });
  const { engine, clock } = hive;
  const bus = createNewsBus(engine);
  const pokeAudit = auditPokes({
    engine,
    clock,
    redact: (value) => redactor.json(value as never),
  });
  const handlers = {
    ...actorHandlers({ engine, bus, clock, pokes: pokeAudit }),
    ...cancelHandlers({ engine, clock, pokes: pokeAudit }),
  };
  const poke = (params: ParamsOf<"actor.send">) =>
    handlers["actor.send"](methodParams["actor.send"].parse(params), caller);
  const pokes = async () => {
    const rows = await engine.read.select(auditTable, { index: "key" });
    return rows.filter(({ kind }) => kind === "poke");
  };
  return { hive, handlers, poke, pokes };
}

async function waitingRun() {
  const world = await pokedHive();
  await world.hive.say('call file_write {"path":"a.txt","content":"x"}');
  await world.hive.engine.settled();
  const actors = await world.hive.engine.read.select(actorTable, { index: "key" });
  const at = (machine: string) => actors.find((row) => row.machine === machine)?.address ?? "";
  return { ...world, at };
}

describe("an event that a person sends by hand leaves a row", () => {
  it("with who sent what to whom, and in the transaction that took it", async () => {
    const { hive, poke, pokes, at } = await waitingRun();
    const [run] = await hive.engine.read.select(actorTable, {
      index: "by_parent",
      equals: [session, "active"],
    });
    await poke({
      address: at("run"),
      event: "run.cancel",
      payload: { reason: `not with ${secret}` },
    });
    const [row, ...others] = await pokes();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      kind: "poke",
      status: "accepted",
      decided_by: "tui",
      reason: null,
      input: { event: "run.cancel", address: at("run"), payload: { reason: expect.any(String) } },
      trace_id: run?.trace,
      run_id: at("run").split("/").at(-1),
      agent: "main",
      at: hive.clock.now(),
    });
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(await verifyAudit(hive.engine.read)).toMatchObject({ ok: true });
  });

  it("naming the tool, where it is a tool call that was poked", async () => {
    const { poke, pokes, at } = await waitingRun();
    await poke({ address: at("tool_call"), event: "call.cancel" });
    expect(await pokes()).toMatchObject([
      { tool: "file_write", tool_call_id: "offline_1", step_id: expect.stringMatching(/^r/) },
    ]);
  });

  it("where its chart refuses it, where it has ended, and where nobody lives, with the reason", async () => {
    const { hive, poke, pokes, at } = await waitingRun();
    const refused = (params: ParamsOf<"actor.send">, code: string) =>
      expect(poke(params)).rejects.toMatchObject({ code });
    await refused({ address: session, event: "run.cancel" }, "event.not_accepted");
    await poke({ address: at("run"), event: "run.cancel" });
    await hive.engine.settled();
    await refused({ address: at("run"), event: "run.cancel" }, "actor.ended");
    await refused({ address: "session/nobody", event: "run.cancel" }, "actor.not_found");
    const rows = await pokes();
    expect(rows.map(({ status, reason }) => [status, reason])).toEqual([
      ["refused", "session does not accept run.cancel while running"],
      ["accepted", null],
      ["refused", "actor.ended: it is done"],
      ["refused", "actor.not_found: nobody lives at this address"],
    ]);
    expect(rows.at(-1)).toMatchObject({ agent: "", run_id: "", session: "" });
  });

  it.each([
    ["is no event", { event: `no.event ${secret}` }, "event.unknown"],
    ["no person may send", { event: "approval.decided" }, "event.not_pokeable"],
    [
      "does not hold what it must",
      { event: "run.cancel", payload: { because: secret } },
      "event.invalid",
    ],
  ])(
    "where it is refused because it %s: without the payload, and no step is taken",
    async (_why, sent, code) => {
      const { hive, poke, pokes, at } = await waitingRun();
      const before = await hive.engine.read.select(journalTable, { index: "key" });
      await expect(poke({ address: at("run"), ...sent })).rejects.toMatchObject({ code });
      const [row, ...others] = await pokes();
      expect(others).toEqual([]);
      expect(row).toMatchObject({ status: "refused", agent: "main", decided_by: "tui" });
      expect(Object.keys(row?.input as object)).toEqual(["event", "address"]);
      expect(JSON.stringify(row)).not.toContain(secret);
      expect(await hive.engine.read.select(journalTable, { index: "key" })).toEqual(before);
    },
  );

  it("that is small, however large what was refused is", async () => {
    const { poke, pokes } = await waitingRun();
    const payload = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key${n}`, "x"]));
    await expect(poke({ address: session, event: "session.cancel", payload })).rejects.toThrow(
      "unknown property",
    );
    await expect(poke({ address: session, event: "x".repeat(1_000_000) })).rejects.toThrow(
      "no event is called",
    );
    for (const row of await pokes()) expect(JSON.stringify(row).length).toBeLessThan(3_000);
    expect(await pokes()).toHaveLength(2);
  });

  it("of its own, but for a flood of refusals: those are counted in one a minute", async () => {
    const { hive, poke, pokes } = await pokedHive();
    await hive.say("hello");
    await hive.engine.settled();
    const refused = async (times: number) => {
      for (let n = 0; n < times; n += 1) {
        const event = n % 2 === 0 ? "approval.decide" : "run.cancel";
        await expect(poke({ address: session, event })).rejects.toThrow(AgentError);
      }
    };
    await refused(500);
    await poke({ address: session, event: "session.cancel" });
    expect((await pokes()).map(({ status }) => status)).toEqual([
      ...Array.from({ length: 60 }, () => "refused"),
      "accepted",
    ]);
    hive.clock.advance(60_000);
    await hive.engine.settled();
    expect((await pokes()).at(-1)).toMatchObject({
      decided_by: "statehive",
      status: "refused",
      input: { refusals: 440 },
      reason: "440 more events that were sent by hand were refused within a minute.",
    });
    await refused(1);
    expect(await pokes()).toHaveLength(63);
    expect(await verifyAudit(hive.engine.read)).toMatchObject({ ok: true });
  });

  it("once, when it is sent twice under one key", async () => {
    const { poke, pokes, at } = await waitingRun();
    const sent = { address: at("run"), event: "run.cancel", idempotency_key: "k1" };
    const first = await poke(sent);
    expect(await poke(sent)).toEqual(first);
    expect(await pokes()).toHaveLength(1);
  });

  it("of its own, whatever else was sent under its key", async () => {
    const { hive, poke, pokes } = await pokedHive();
    await hive.say("hello", place, "k1");
    await hive.engine.settled();
    await poke({ address: session, event: "session.cancel", idempotency_key: "k1" });
    expect((await pokes()).map(({ status }) => status)).toEqual(["accepted"]);
  });

  it("or is not taken", async () => {
    let isFull = false;
    const inner = createMemoryStore({ tables: allTables });
    const store = wrapStore(inner, {
      put: (table, row) => {
        if (isFull && table.name === "audit") throw new AgentError("internal", "no row of audit");
        inner.put(table, row);
      },
    });
    const { hive, poke } = await pokedHive({ store });
    await hive.say("hello");
    await hive.engine.settled();
    isFull = true;
    await expect(poke({ address: session, event: "session.cancel" })).rejects.toThrow(
      "no row of audit",
    );
    expect(await hive.engine.get(session)).toMatchObject({ state: "idle", status: "active" });
  });
});

describe("who stops something leaves a row", () => {
  const run = async () => {
    const world = await waitingRun();
    const [{ run_id: id, session_id, task_id } = {} as never] = await runs(world.hive);
    return { ...world, id, session_id, task_id };
  };

  it.each([
    ["a run", "runs.cancel", { event: "run.cancel", payload: { reason: expect.any(String) } }],
    ["a run after its step", "runs.cancel", { event: "run.stop_after_step", payload: {} }],
    ["a task", "tasks.cancel", { event: "run.cancel", payload: { reason: expect.any(String) } }],
  ] as const)("of %s", async (name, method, input) => {
    const { hive, handlers, pokes, at, id, session_id, task_id } = await run();
    const stopped = method === "tasks.cancel" ? task_id : id;
    const params = { id: stopped, after_step: name.endsWith("step") };
    await handlers[method](params, caller);
    expect(await pokes()).toMatchObject([
      {
        status: "accepted",
        decided_by: "tui",
        run_id: id,
        session: session_id,
        input: { ...input, address: at("run") },
      },
    ]);
    expect(await verifyAudit(hive.engine.read)).toMatchObject({ ok: true });
  });

  it("of a conversation", async () => {
    const { handlers, pokes, session_id } = await run();
    await handlers["sessions.reset"]({ id: session_id }, caller);
    expect(await pokes()).toMatchObject([
      {
        status: "accepted",
        decided_by: "tui",
        session: session_id,
        input: { event: "session.cancel" },
      },
    ]);
  });

  it("of what has ended before, with the reason", async () => {
    const { hive, handlers, pokes, id } = await run();
    const cancel = () => handlers["runs.cancel"]({ id, after_step: false }, caller);
    await cancel();
    await hive.engine.settled();
    await expect(cancel()).rejects.toMatchObject({ code: "actor.ended" });
    expect((await pokes()).map(({ status }) => status)).toEqual(["accepted", "refused"]);
  });
});

import { randomUUID } from "node:crypto";
import { createClient } from "@libsql/client";
import { openLibsqlStore } from "../../src/adapters/engine/open-libsql.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allTables } from "../../src/app/hive-engine.ts";
import { actorTable } from "../../src/engine/tables.ts";
import { initHome } from "../../src/config/home.ts";
import { type RunningService, runService } from "../../src/server/run-service.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runs } from "../actors/hive-watch.ts";
import { agentWith, fixedAgents, providerOf } from "../actors/test-agents.ts";
import { createTestHive } from "../support/hive.ts";
import { connectRaw, type RawSocket } from "../support/raw-socket.ts";

/** JSON that means harm, wherever statehive reads JSON: it is refused, and everything else goes on. */

const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

let home = "";
let service: RunningService;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "statehive-json-"));
  initHome(home);
  service = await runService({ home, env: {}, version: "test", writeLog: () => {} });
});

afterAll(async () => {
  await service.stop(0);
  rmSync(home, { recursive: true, force: true });
});

const sendOf = (payload: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"actor.send","params":{"address":"system","event":"actor.failed","payload":${payload}}}\n`;

async function expectAlive(socket: RawSocket) {
  const hello = '{"jsonrpc":"2.0","id":7,"method":"hello","params":{"protocol":1}}\n';
  expect(await socket.ask(hello)).toMatchObject({ id: 7 });
}

describe("the socket", () => {
  it.each([
    ["a million levels", sendOf(`{"a":${deep(1_000_000)}}`)],
    ["65 levels", sendOf(`{"a":${deep(65)}}`)],
    ["a number that no number holds", sendOf('{"a":1e400}')],
    ["NaN", sendOf('{"a":NaN}')],
    ["half a text", sendOf('{"a":"')],
    ["no request at all", "[1,2,3]\n"],
  ])("I02: refuses %s and goes on", async (_what, line) => {
    const socket = await connectRaw(service.socketPath);
    expect(await socket.ask(line)).toMatchObject({ error: { data: { code: "usage" } } });
    await expectAlive(socket);
    socket.close();
  });

  it("I02: ends on 300,000 keys, which no event takes", async () => {
    const socket = await connectRaw(service.socketPath);
    const keys = Array.from({ length: 300_000 }, (_, index) => `"k${index}":0`).join(",");
    expect(await socket.ask(sendOf(`{${keys}}`))).toMatchObject({ id: 1, error: {} });
    await expectAlive(socket);
    socket.close();
  });

  it("I02: hangs up on a line of 50 MB, and takes the next connection", async () => {
    const socket = await connectRaw(service.socketPath);
    expect(await socket.ask(`"${"x".repeat(50_000_000)}"\n`)).toMatchObject({
      error: { message: "The line is too long." },
    });
    socket.close();
    const next = await connectRaw(service.socketPath);
    await expectAlive(next);
    next.close();
  });

  it("I02: takes bytes that are not UTF-8 as the mark for such, never as something else", async () => {
    const socket = await connectRaw(service.socketPath);
    const before = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"');
    const line = Buffer.concat([before, Buffer.from([0xc0, 0xae, 0xff]), Buffer.from('"}\n')]);
    expect(await socket.ask(line)).toMatchObject({
      error: { message: "There is no method \ufffd\ufffd\ufffd." },
    });
    socket.close();
  });

  it.each(["__proto__", "constructor", "prototype"])(
    "I01: refuses the key %s in an event, and no prototype changes",
    async (key) => {
      const socket = await connectRaw(service.socketPath);
      expect(await socket.ask(sendOf(`{"${key}":{"isAdmin":true}}`))).toMatchObject({
        error: { data: { code: "usage" } },
      });
      await expectAlive(socket);
      socket.close();
      expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
    },
  );
});

describe("a model", () => {
  it.each([
    ["I01: a hostile key", '{"path":"a","__proto__":{"isAdmin":true}}', "__proto__"],
    ["I02: 100,000 levels", `{"path":${deep(100_000)}}`, "levels deep"],
    ["I02: a number that no number holds", '{"path":"a","limit":1e400}', "too large"],
  ])("%s in a tool call fails the run with the reason", async (_what, input, why) => {
    const provider = providerOf(() => ({
      content: [
        {
          type: "tool_use",
          id: "c1",
          name: "file_read",
          input: JSON.parse(input) as Record<string, never>,
        },
      ],
      stop_reason: "tool_use",
    }));
    const agent = agentWith({ model: () => ({ provider, model: "hostile" }) });
    const hive = await createTestHive({ agents: fixedAgents(agent) });
    await hive.say("go");
    await hive.engine.settled();
    expect(await runs(hive)).toMatchObject([
      { state: "failed", error: { code: "model.bad_response" } },
    ]);
    expect((await hive.lastRun())?.reply).toContain(why);
    expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
  });
});

describe("what is stored", () => {
  it.each([
    ["nested a million levels deep", `"a":${deep(1_000_000)}`],
    ["with a hostile key", '"__proto__":{"isAdmin":true}'],
  ])(
    "I01, I02: a snapshot %s sets its actor aside, and the rest goes on",
    async (_what, member) => {
      const url = `file:${join(home, `${randomUUID()}.db`)}`;
      const open = () => openLibsqlStore({ url, tables: allTables, durability: "process" });
      const first = await createTestHive({ store: await open() });
      await first.say("hello");
      await first.engine.settled();
      await first.engine.close(0);

      const database = createClient({ url });
      await database.execute(
        `UPDATE actors SET snapshot = replace(snapshot, '"context":{', ?) WHERE machine = 'session'`,
        [`"context":{${member},`],
      );
      database.close();
      const second = await createTestHive({ store: await open() });
      await second.say("hello");
      await second.say("hello", "another");
      await second.engine.settled();
      const found = await second.engine.read.select(actorTable, {
        index: "by_version",
        equals: ["quarantined"],
      });
      expect(found.map(({ machine }) => machine)).toEqual(["session"]);
      expect(await runs(second)).toMatchObject([{ state: "done" }, { state: "done" }]);
      expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
      await second.engine.close(0);
    },
  );
});

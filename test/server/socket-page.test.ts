import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleSession } from "../../scripts/socket-page/sample-session.ts";
import { initHome } from "../../src/config/home.ts";
import { createLineReader } from "../../src/schema/socket/line-reader.ts";
import { commonErrors, errorsOf } from "../../src/schema/socket/method-errors.ts";
import { notificationParams } from "../../src/schema/socket/notifications.ts";
import type { Method, Notifications } from "../../src/schema/socket/protocol.ts";
import { methodResults } from "../../src/schema/socket/results.ts";
import { errorData } from "../../src/schema/shown/shown.ts";
import { type RunningService, runService } from "../../src/server/run-service.ts";

/** What docs/socket.md says, said to a service. */

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data: unknown };
  readonly params?: { readonly event?: { readonly type: string } };
};

let home: string;
let service: RunningService;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "statehive-page-"));
  initHome(home);
  service = await runService({ home, env: {}, version: "0.1.0", writeLog: () => undefined });
});

afterAll(async () => {
  await service.stop(0);
  rmSync(home, { recursive: true, force: true });
});

async function dial() {
  const socket = connect(service.socketPath);
  await once(socket, "connect");
  const heard: Message[] = [];
  let wake = () => {};
  const onLine = (line: string) => {
    heard.push(JSON.parse(line) as Message);
    wake();
  };
  socket.on("data", createLineReader({ maxLineBytes: 1e6, onLine, onOverflow: () => {} }));
  const hears = async (wanted: (message: Message) => boolean): Promise<Message> => {
    for (;;) {
      const found = heard.find(wanted);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const say = (line: object) => void socket.write(`${JSON.stringify(line)}\n`);
  return { say, hears, close: () => socket.destroy() };
}

const shown = sampleSession.map(({ from, line }) => ({ from, line: line as Message }));
const methodOf = new Map(
  shown.flatMap(({ from, line }) =>
    from === "client" ? [[line.id, line.method as Method] as const] : [],
  ),
);

/** Throws for what its shape does not know. */
function check({ id, method, result, error, params }: Message): void {
  if (method !== undefined) {
    notificationParams[method as keyof Notifications].parse(params);
  } else if (error === undefined) {
    const asked = methodOf.get(id);
    if (asked === undefined) throw new Error(`nothing was asked as ${id}`);
    methodResults[asked].parse(result);
  } else errorData.parse(error.data);
}

/** Whether it is the answer to the same request, or a notification of the same kind. */
const isLike = (sample: Message) => (other: Message) =>
  other.id === sample.id &&
  other.method === sample.method &&
  other.params?.event?.type === sample.params?.event?.type;

const keysOf = (message: Message) => [Object.keys(message), Object.keys(message.params ?? {})];

describe("the session on the page", () => {
  it("goes as it is told there", async () => {
    const { say, hears, close } = await dial();
    const real: Message[] = [];
    for (const { from, line } of shown) {
      if (from === "client") say(line);
      else real.push(await hears(isLike(line)));
    }
    close();
    const sample = shown.filter(({ from }) => from === "service").map(({ line }) => line);
    for (const message of [...sample, ...real]) check(message);
    expect(real.map(keysOf)).toEqual(sample.map(keysOf));
    expect(real.map(({ error }) => error)).toEqual(sample.map(({ error }) => error));
  });
});

type Refused = readonly [method: Method, params: object, code: string];
const nobody = { id: "nobody" };
const address = "session/nobody";

const refused: readonly Refused[] = [
  ["backup", { file: "/" }, "file.refused"],
  ["agents.show", nobody, "agent.not_found"],
  ["machines.show", { name: "nobody" }, "machine.not_found"],
  ["actor.get", { address }, "actor.not_found"],
  ["actor.send", { address, event: "run.cancel" }, "actor.not_found"],
  ["actor.send", { address, event: "run.fly" }, "event.unknown"],
  ["actor.send", { address, event: "run.cancel", payload: { reason: 5 } }, "event.invalid"],
  ["actor.send", { address: "system", event: "system.stop" }, "event.not_pokeable"],
  ["actor.send", { address: "system", event: "run.cancel" }, "event.not_accepted"],
  ["chat.agent", { agent: "nobody" }, "agent.not_found"],
  ["chat.send", { chat: "x", text: "hello", agent: "nobody" }, "agent.not_found"],
  ["chat.follow", { chat: "x", run: "nobody" }, "actor.not_found"],
  ["approvals.show", nobody, "approval.not_found"],
  ["approvals.decide", { ...nobody, decision: "deny" }, "approval.not_found"],
  ["approvals.answer", { ...nobody, value: "tea" }, "approval.not_found"],
  ["approvals.step", { step: "nobody" }, "approval.not_found"],
  [
    "approvals.decide_step",
    { step: "nobody", binding: "", decision: "deny" },
    "approval.not_found",
  ],
  ["grants.revoke", nobody, "grant.not_found"],
  ["marks.clear", { agent: "nobody", path: "a" }, "agent.not_found"],
  ["marks.clear", { agent: "main", path: "a" }, "mark.not_found"],
  ["runs.show", nobody, "actor.not_found"],
  ["runs.cancel", nobody, "actor.not_found"],
  ["runs.replay", nobody, "actor.not_found"],
  ["runs.moment", { ...nobody, seq: 1 }, "actor.not_found"],
  ["runs.fork", { ...nobody, at: 1, text: "hello" }, "actor.not_found"],
  ["sessions.show", nobody, "session.not_found"],
  ["sessions.compact", nobody, "session.not_found"],
  ["sessions.reset", nobody, "session.not_found"],
  ["tasks.show", nobody, "actor.not_found"],
  ["tasks.cancel", nobody, "actor.not_found"],
];

describe("the errors on the page", () => {
  it.each(refused)("%s %j is refused with %s", async (method, params, code) => {
    const { say, hears, close } = await dial();
    say({ jsonrpc: "2.0", id: 1, method, params });
    const { error } = await hears(({ id }) => id === 1);
    close();
    expect(error).toMatchObject({ code: -32000, data: { code } });
    expect([...errorsOf(method), ...commonErrors]).toContain(code);
  });

  it("has JSON-RPC's own numbers for what is no request, no method, and no parameters", async () => {
    const { say, hears, close } = await dial();
    say({ jsonrpc: "2.0", id: 1, method: "status", params: { of: "what" } });
    say({ jsonrpc: "2.0", id: 2, method: "fly" });
    say({ id: 3 });
    const first = await hears(({ id }) => id === 1);
    expect(first.error).toMatchObject({
      code: -32600,
      message: `status: unknown property "of"; it takes none.`,
    });
    expect((await hears(({ id }) => id === 2)).error).toMatchObject({ code: -32601 });
    expect((await hears(({ id }) => id === null)).error).toMatchObject({ code: -32700 });
    close();
  });
});

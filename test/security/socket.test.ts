import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { connect, type Connection } from "../../src/client/connection.ts";
import { initHome } from "../../src/config/home.ts";
import { runPaths } from "../../src/config/run-paths.ts";
import { eventRegistry } from "../../src/schema/events/events.ts";
import { clients } from "../../src/schema/socket/client.ts";
import { methodParams } from "../../src/schema/socket/protocol.ts";
import { type RunningService, runService } from "../../src/server/run-service.ts";
import { connectRaw } from "../support/raw-socket.ts";

/** Who may do what over the socket, and who reaches it at all. */

const root = mkdtempSync(join(tmpdir(), "statehive-socket-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function newHome(name: string): string {
  const home = join(root, name);
  initHome(home);
  return home;
}

const start = (home: string) => runService({ home, env: {}, version: "test", writeLog: () => {} });

async function servedAt(home: string): Promise<RunningService> {
  const service = await start(home);
  onTestFinished(() => service.stop(0));
  return service;
}

const line = (method: string, params: object, id = 1) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const refused = (code: string) => ({ error: { data: { code } } });

describe("a client of the socket", () => {
  let home = "";
  let service: RunningService;
  const people = new Map<string, Connection>();

  beforeAll(async () => {
    home = newHome("served");
    service = await start(home);
    for (const client of clients) {
      people.set(client, await connect({ socketPath: service.socketPath, client }));
    }
  });
  afterAll(async () => {
    for (const connection of people.values()) connection.close();
    await service.stop(0);
  });
  const as = (client: string) => people.get(client) as Connection;

  const waiting = async (session: string) => {
    const { call } = as("cli");
    await call("chat.send", { chat: session, text: `write a to ${session}.txt`, session });
    return vi.waitFor(async () => {
      const open = await call("approvals.list", {});
      const found = open.find(({ summary }) => summary.includes(`${session}.txt`));
      if (found === undefined) throw new Error("it was not asked yet");
      return found;
    });
  };

  it("says what is wrong with a conversation's name that has half a character in it", async () => {
    const said = as("cli").call("chat.send", { chat: "c", text: "hello", session: "a\ud83d" });
    await expect(said).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("session: has half a character in it"),
    });
  });

  it.each(clients)(
    "C06: that is %s decides no approval by a poke, and sends nothing else by hand that people may not",
    async (client) => {
      const approval = await waiting(`poked-by-${client}`);
      const { call } = as(client);
      const word = { decision: "approve", scope: "once", by: "owner", binding: approval.binding };
      const payloads: { readonly [event: string]: object } = {
        "approval.decide": word,
        "approval.answer": { value: "approve", by: "owner", binding: approval.binding },
        "approval.decided": {
          approval_id: approval.id,
          state: "approved",
          answer: "approve",
          decided_by: "owner",
        },
      };
      const closed = Object.entries(eventRegistry).filter(([, { pokeable }]) => !pokeable);
      expect(closed.length).toBeGreaterThan(20);
      // Shared among the clients: of more refusals in a minute not each has a row.
      const its = closed.filter(
        ([event], place) => event in payloads || clients[place % clients.length] === client,
      );
      for (const [event] of its) {
        const payload = (payloads[event] ?? {}) as never;
        await expect(
          call("actor.send", { address: approval.address, event, payload }),
        ).rejects.toMatchObject({ code: "event.not_pokeable" });
      }
      expect(await call("approvals.show", { id: approval.id })).toMatchObject({ state: "pending" });
      expect(existsSync(join(home, `workspace/main/poked-by-${client}.txt`))).toBe(false);
      const rows = await call("audit.query", { run: approval.run_id, limit: 1000 });
      expect(
        new Set(rows.map(({ kind, status, decided_by }) => `${kind} ${status} ${decided_by}`)),
      ).toEqual(new Set([`poke refused ${client}`]));
      expect(await call("audit.verify", {})).toMatchObject({ ok: true });
    },
  );

  it("C06: stands under its own name in what it decides and pokes", async () => {
    const approval = await waiting("named");
    const decided = { id: approval.id, decision: "deny" } as const;
    await as("tui").call("approvals.decide", decided);
    const { call } = as("api");
    expect(await call("approvals.show", { id: approval.id })).toMatchObject({ decided_by: "tui" });
    const session = "session/local:local:named:owner:main";
    await call("actor.send", { address: session, event: "session.cancel" });
    const { steps } = await call("actors.subscribe", { prefix: session, recent: 2_000 });
    const [poke] = await call("audit.query", { session: approval.session_id, status: "accepted" });
    expect(poke).toMatchObject({
      kind: "poke",
      decided_by: "api",
      input: { event: "session.cancel", address: session },
      trace_id: steps.find(({ event }) => event === "session.cancel")?.trace,
    });
  });

  it.each([
    ["another name than there is", "hello", { protocol: 2, client: "channel" }],
    ["rights", "hello", { protocol: 2, client: "tui", scopes: ["admin"] }],
    [
      "an origin of its own",
      "actor.send",
      { address: "system", event: "system.stop", origin: "actor" },
    ],
    ["not to be a poke", "actor.send", { address: "system", event: "system.stop", poke: false }],
    ["to decide as another", "approvals.decide", { id: "a1", decision: "approve", by: "owner" }],
  ])("C06: that asks for %s is refused", async (_what, method, params) => {
    const socket = await connectRaw(service.socketPath);
    expect(await socket.ask(line(method, params))).toMatchObject(refused("usage"));
    socket.close();
  });

  it("C06: keeps the name that it gave first", async () => {
    const socket = await connectRaw(service.socketPath);
    const hello = (client: string) => socket.ask(line("hello", { protocol: 2, client }));
    expect(await hello("tui")).toMatchObject({ result: { pid: process.pid, home } });
    expect(await hello("cli")).toMatchObject(refused("usage"));
    expect(await hello("tui")).toMatchObject({ result: {} });
    socket.close();
  });

  it("C06: gains nothing by its name: each of them may send the same events", () => {
    const differing = Object.values(eventRegistry).filter(
      ({ pokeable, origins }) => pokeable && !clients.every((client) => origins.includes(client)),
    );
    expect(differing).toEqual([]);
  });

  it("C11: changes no configuration: a reload takes what stands in the files, and nothing that is sent", async () => {
    const changing = Object.keys(methodParams).filter((method) => method.startsWith("config."));
    expect(changing).toEqual(["config.reload"]);
    const before = await as("api").call("agents.show", { id: "main" });
    const socket = await connectRaw(service.socketPath);
    const wider = { capabilities: { grant: ["shell.exec:*"] } };
    for (const params of [
      { config: wider },
      { home: "/tmp" },
      { agents: [{ id: "main", ...wider }] },
    ]) {
      expect(await socket.ask(line("config.reload", params))).toMatchObject(refused("usage"));
    }
    expect(await socket.ask(line("config.reload", {}))).toMatchObject({
      result: { agents: { added: [], changed: [], removed: [] } },
    });
    socket.close();
    expect(await as("api").call("agents.show", { id: "main" })).toEqual(before);
  });
});

describe("the socket's file", () => {
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  it("C08: is its owner's alone, in a directory of its owner's alone, whatever the umask", async () => {
    const home = newHome("modes");
    const { socket, directory } = runPaths(home, {});
    chmodSync(directory, 0o755);
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    await servedAt(home);
    expect([modeOf(socket), modeOf(directory)]).toEqual([0o600, 0o700]);
  });

  it("C08: takes the place of a dead service's, and of a link, whose goal stays as it was", async () => {
    const home = newHome("stale");
    const { socket } = runPaths(home, {});
    const dead = createServer().listen(socket);
    await new Promise((resolve) => dead.once("listening", resolve));
    const precious = join(root, "precious.txt");
    writeFileSync(precious, "mine");
    dead.close();
    writeFileSync(socket, "");
    const first = await start(home);
    await (await connect({ socketPath: socket })).call("status", {});
    await first.stop(0);
    symlinkSync(precious, socket);
    await servedAt(home);
    expect(lstatSync(socket).isSocket()).toBe(true);
    expect(readFileSync(precious, "utf8")).toBe("mine");
    expect(statSync(precious).mode & 0o777).not.toBe(0o600);
  });

  it("C08: is not put into a directory that leads elsewhere or that others can write to", async () => {
    const home = newHome("elsewhere");
    const { directory } = runPaths(home, {});
    const other = join(root, "other");
    mkdirSync(other);
    rmSync(directory, { recursive: true });
    symlinkSync(other, directory);
    await expect(start(home)).rejects.toMatchObject({ code: "home.invalid" });
    expect(existsSync(join(other, "statehive.sock"))).toBe(false);
    const long = newHome(`long-${"x".repeat(120)}`);
    const shared = join(root, "shared");
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    const options = { version: "test", writeLog: () => {} };
    await expect(
      runService({ ...options, home: long, env: { XDG_RUNTIME_DIR: shared } }),
    ).rejects.toMatchObject({ code: "home.invalid", message: expect.stringContaining(shared) });
  });

  it("C08: is not made where a directory stands: the start says what is in the way", async () => {
    const home = newHome("occupied");
    const { socket } = runPaths(home, {});
    mkdirSync(socket);
    await expect(start(home)).rejects.toMatchObject({
      code: "home.invalid",
      message: expect.stringContaining(socket),
    });
  });
});

describe("two services", () => {
  it("C12: do not own one home: the second says so and leaves the first one's socket alone", async () => {
    const home = newHome("owned");
    const { socketPath } = await servedAt(home);
    await expect(start(home)).rejects.toMatchObject({ code: "engine.in_use" });
    const link = join(root, "owned-too");
    symlinkSync(home, link);
    await expect(start(link)).rejects.toMatchObject({ code: "engine.in_use" });
    const { call, close } = await connect({ socketPath });
    expect(await call("status", {})).toMatchObject({ pid: process.pid });
    close();
  });

  it("C12: do not work on one database from two homes, by whatever name", async () => {
    const first = newHome("first");
    const service = await start(first);
    const second = newHome("second");
    const linked = join(root, "linked.db");
    symlinkSync(join(first, "data/statehive.db"), linked);
    for (const file of [join(first, "data/statehive.db"), linked]) {
      writeFileSync(join(second, "config/main.yaml"), `engine: { url: "file:${file}" }\n`);
      await expect(start(second)).rejects.toMatchObject({
        code: "engine.in_use",
        message: expect.stringContaining("another home"),
      });
    }
    await service.stop(0);
    await servedAt(second);
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { MessagePost } from "../../src/adapters/channel/webhook/outbound-post.ts";
import { connect, type Connection } from "../../src/client/connection.ts";
import { type RunningService, runService } from "../../src/server/run-service.ts";
import { homeWith } from "../config/homes.ts";
import { type Reply, says, startAnthropicServer } from "../support/anthropic-server.ts";
import { type CallbackServer, callbackServer } from "../support/callback-server.ts";

/** A service with two webhook connectors, each with an agent, a callback and people of its own. */

const secrets = { crm: "crm-secret-0123456789", shop: "shop-secret-0123456789" };
const agentOf = { crm: "main", shop: "ops" } as const;
type Name = keyof typeof secrets;

type Outside = {
  readonly callbacks: Readonly<Record<Name, CallbackServer>>;
  /** What answers for `ops`, in a home that outlives its service; absent: the offline model, in memory. */
  readonly modelUrl?: string;
};

function mainFile({ callbacks, modelUrl }: Outside, port: number): string {
  const connectors = Object.entries(callbacks).map(
    ([id, { url }]) =>
      `  - { id: ${id}, type: webhook, secret: "file:keys/${id}", callback_url: "${url}", allow_users: [ann, bob], approvers: [ann] }\n`,
  );
  const engine = modelUrl === undefined ? "type: memory" : "durability: process";
  return `engine: { ${engine} }\nhttp: { port: ${port} }\nconnectors:\n${connectors.join("")}`;
}

function homeFor(outside: Outside): string {
  const { modelUrl } = outside;
  const bindings = Object.entries(agentOf).map(
    ([id, agent]) => `  - { match: { connector_id: ${id} }, agent: ${agent} }\n`,
  );
  const own = modelUrl === undefined ? "" : "\nmodel_policy: { primary: own/m }";
  return homeWith({
    "config/main.yaml": mainFile(outside, 0),
    "config/routing.yaml": `bindings:\n${bindings.join("")}`,
    "config/agents.d/ops.yaml": `id: ops${own}\n`,
    "prompts/ops/system.md": "You watch.\n",
    ...(modelUrl === undefined
      ? {}
      : {
          "config/providers.d/own.yaml": `id: own\ntype: anthropic\napi_key: env:KEY\nbase_url: ${modelUrl}\n`,
        }),
    ...Object.fromEntries(Object.entries(secrets).map(([id, secret]) => [`keys/${id}`, secret])),
  });
}

type World = Outside & {
  readonly home: string;
  readonly service: RunningService;
  readonly connection: Connection;
  readonly log: readonly string[];
  port(): number;
  post(to: Name, said: object, secret?: string): Promise<Response>;
};

async function world(modelUrl?: string): Promise<World> {
  const callbacks = { crm: await callbackServer(), shop: await callbackServer() };
  const outside = { callbacks, ...(modelUrl === undefined ? {} : { modelUrl }) };
  return startedOn(homeFor(outside), outside);
}

async function startedOn(home: string, outside: Outside): Promise<World> {
  const log: string[] = [];
  const service = await runService({
    home,
    env: { KEY: "sk-own-0123456789abcdef" },
    version: "test",
    writeLog: (line) => void log.push(line),
  });
  onTestFinished(() => service.stop(0));
  const connection = await connect({ socketPath: service.socketPath });
  onTestFinished(() => connection.close());
  const port = () =>
    log
      .flatMap((line) => JSON.parse(line) as { readonly message: string; readonly port: number })
      .filter(({ message }) => message === "connectors are called at this address")
      .at(-1)?.port ?? 0;
  const post = (to: Name, said: object, secret: string = secrets[to]) =>
    fetch(`http://127.0.0.1:${port()}/webhook/${to}`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ conversation: { id: "ann" }, user: { id: "ann" }, ...said }),
    });
  return { ...outside, home, service, connection, log, port, post };
}

const isReply = ({ message }: MessagePost) => message.kind === "markdown";
const isCard = ({ event, message }: MessagePost) => event === "message" && message.kind === "card";
const agentsOf = async ({ connection }: World) =>
  (await connection.call("runs.list", {})).map(({ agent_id }) => agent_id).toSorted();

it("T06: answers each connector at its own callback, by its own agent, though all ids are the same", async () => {
  const all = await world();
  const { callbacks, post, connection } = all;
  for (const name of ["crm", "shop"] as const) {
    expect((await post(name, { id: "1", text: "Hello." })).status).toBe(200);
    const reply = await callbacks[name].message(isReply);
    expect(reply).toMatchObject({ connector: name, conversation: { id: "ann" }, part: 0 });
  }
  expect(await agentsOf(all)).toEqual(["main", "ops"]);
  const sessions = await connection.call("sessions.list", {});
  expect(new Set(sessions.map(({ session_id }) => session_id)).size).toBe(2);
  expect((await post("shop", { id: "2", text: "Hello." }, secrets.crm)).status).toBe(401);
  expect((await post("shop", { id: "2", text: "Hello.", user: { id: "eve" } })).status).toBe(200);
  expect((await post("crm", { id: "1", text: "Hello again." })).status).toBe(200);
  expect((await post("crm", { id: "3", text: "Bye." })).status).toBe(200);
  await callbacks.crm.message((one) => isReply(one) && callbacks.crm.messages().length === 2);
  expect(await agentsOf(all)).toEqual(["main", "main", "ops"]);
  expect(callbacks.shop.messages()).toHaveLength(1);
});

it("asks an approver by buttons, takes the tap of nobody else, and shows how it ended", async () => {
  const { callbacks, post, connection } = await world();
  await post("crm", { id: "1", text: "write hello to a.txt" });
  const card = await callbacks.crm.message(isCard);
  const [once] = card.message.buttons.flat();
  const tap = { message_id: card.message_id, data: once?.data };
  expect((await post("shop", { id: "2", button: tap })).status).toBe(200);
  const byBob = { id: "3", button: tap, user: { id: "bob" } };
  expect((await post("crm", byBob)).status).toBe(200);
  expect(await connection.call("approvals.list", {})).toHaveLength(1);
  expect((await post("crm", { id: "4", button: tap })).status).toBe(200);
  const outcome = await callbacks.crm.message(({ event }) => event === "edit");
  expect(outcome).toMatchObject({ message_id: card.message_id, message: { buttons: [] } });
  await callbacks.crm.message(isReply);
  const audit = await connection.call("audit.query", {});
  expect(audit.map(({ kind, decided_by, status }) => [kind, decided_by, status])).toEqual([
    ["invocation", "crm:ann", "done"],
    ["decision", "crm:ann", "approved"],
    ["decision", "crm:bob", "refused"],
  ]);
  expect(callbacks.shop.messages()).toEqual([]);
});

it("lets what runs end while it stops, tells who calls to come again, and loses nothing", async () => {
  let answer = (_reply: Reply) => {};
  let tellAsked = () => {};
  const asked = new Promise<void>((resolve) => (tellAsked = resolve));
  const server = await startAnthropicServer(() => {
    tellAsked();
    return new Promise<Reply>((resolve) => (answer = resolve));
  });
  onTestFinished(() => server.close());
  const first = await world(server.url);
  const { shop } = first.callbacks;
  await first.post("shop", { id: "1", text: "Hello." });
  await asked;
  const stopped = first.service.stop(10_000);
  const refused = await first.post("shop", { id: "2", text: "And this?" });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  answer(says("Good day."));
  await stopped;
  await expect(first.post("shop", { id: "2", text: "And this?" })).rejects.toThrow("fetch failed");
  const again = await startedOn(first.home, first);
  expect((await shop.message(isReply)).message).toMatchObject({ text: "Good day." });
  expect((await again.post("shop", { id: "1", text: "Hello." })).status).toBe(200);
  expect((await again.post("shop", { id: "2", text: "/status" })).status).toBe(200);
  await shop.message(({ message }) => message.kind === "plain");
  expect(shop.messages()).toHaveLength(2);
});

it("knows a new secret and a new address as soon as they are configured, and the old ones no more", async () => {
  const all = await world();
  const { home, service, post, port, callbacks } = all;
  const before = port();
  writeFileSync(join(home, "keys/crm"), "new-secret-0123456789", { mode: 0o600 });
  expect((await service.reload("test")).warnings).toEqual([]);
  expect((await post("crm", { id: "1", text: "Hello." })).status).toBe(401);
  expect((await post("crm", { id: "1", text: "Hello." }, "new-secret-0123456789")).status).toBe(
    200,
  );
  await callbacks.crm.message(isReply);
  expect(port()).toBe(before);
  const main = join(home, "config/main.yaml");
  writeFileSync(main, mainFile(all, 0).replace("{ port: 0 }", '{ port: 0, host: "127.0.0.2" }'));
  await Promise.all(["one", "two", "three"].map((by) => service.reload(by)));
  await expect(post("shop", { id: "1", text: "Hello." })).rejects.toThrow("fetch failed");
  writeFileSync(main, mainFile(all, 1).replace("{ port: 1 }", '{ port: 1, host: "192.0.2.1" }'));
  const { warnings } = await service.reload("test");
  expect(warnings).toEqual(["Port 1 of 192.0.2.1 cannot be used: EADDRNOTAVAIL."]);
  const there = `http://127.0.0.2:${port()}/webhook/shop`;
  expect((await fetch(there, { method: "POST" })).status).toBe(401);
  writeFileSync(main, "engine: { type: memory }\n");
  writeFileSync(join(home, "config/routing.yaml"), "{}\n");
  await service.reload("test");
  await expect(fetch(there, { method: "POST" })).rejects.toThrow("fetch failed");
});

it("T01: does not start where a secret is not set", async () => {
  const callbacks = { crm: await callbackServer(), shop: await callbackServer() };
  const home = homeFor({ callbacks });
  writeFileSync(join(home, "keys/shop"), "", { mode: 0o600 });
  const starting = runService({ home, env: {}, version: "test", writeLog: () => {} });
  await expect(starting).rejects.toMatchObject({
    code: "config.invalid",
    message: expect.stringContaining("the secret file keys/shop is empty"),
  });
});

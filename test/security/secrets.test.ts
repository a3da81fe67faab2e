import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { showConfig } from "../../src/config/show-config.ts";
import { connect, type Connection } from "../../src/client/connection.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { formsOf } from "../../src/policy/secret-forms.ts";
import { createRedactor } from "../../src/policy/redaction.ts";
import type { ChatEvent } from "../../src/schema/protocol.ts";
import { type RunningService, runService } from "../../src/server/run-service.ts";
import { apiError, type RecordedRequest, type Reply } from "../support/anthropic-server.ts";
import { createJobHome, type JobHome } from "../support/jobs.ts";

/** Secrets that are planted everywhere a session can meet them, and looked for in everything that it leaves. */

const apiKey = "sk-ant-api03-Zq8vXr2LmT5wYc9KdBn4";
const bearer = "eyJhbGciOiJIUzI1NiJ9.dG9rZW4tcGF5bG9hZA.k3V9xQ0pLr7s";
const privateKey = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7/vJ+Zr4m";
const secrets = { apiKey, bearer, privateKey };

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** As people and programs write them: as they are, in a URL, in JSON, in base64 at every offset. */
function mentions(secret: string): string {
  const encoded = encodeURIComponent(secret);
  return [
    secret,
    `https://x.example/?key=${encoded}&again=${secret}`,
    JSON.stringify({ authorization: `Bearer ${secret}` }),
    base64(secret),
    base64(`u:${secret}:z`),
    base64(`us:${secret}`),
  ].join("\n");
}

const everything = Object.values(secrets).map(mentions).join("\n");

const use = (id: string, name: string, input: Record<string, string>): Reply => ({
  content: [
    { type: "text", text: `I see ${everything}` },
    { type: "tool_use", id, name, input },
  ],
  deltas: 97,
});

/** A model that has seen the secrets and repeats them wherever it can. */
function blab({ messages }: RecordedRequest): Reply {
  const told = JSON.stringify(messages.at(-1));
  if (told.includes("go wrong"))
    return apiError(401, "authentication_error", `invalid x-api-key ${everything}`);
  const results = messages.filter(({ role }) => role === "assistant").length;
  const steps: readonly Reply[] = [
    use("c1", "file_read", { path: "notes.txt" }),
    use("c2", "file_read", { path: `${apiKey}/${base64(bearer)}.txt` }),
    use("c3", "file_write", { path: "out.txt", content: everything }),
  ];
  return (
    steps[results] ?? { content: [{ type: "text", text: `Done: ${everything}` }], deltas: 301 }
  );
}

let jobs: JobHome;
let service: RunningService;
let connection: Connection;
const heard: ChatEvent[] = [];
const logged: string[] = [];

beforeEach(async () => {
  jobs = await createJobHome({
    script: blab,
    mainYaml: "engine: { durability: process, auth_token: env:DATABASE_TOKEN }\n",
  });
  const { home } = jobs;
  mkdirSync(join(home, "secrets"), { mode: 0o700 });
  writeFileSync(join(home, "secrets/key"), `${privateKey}\n`, { mode: 0o600 });
  writeFileSync(
    join(home, "config/providers.d/second.yaml"),
    "id: second\ntype: anthropic\napi_key: file:secrets/key\n",
    { mode: 0o600 },
  );
  writeFileSync(join(home, "workspace/main/notes.txt"), everything);
  heard.length = 0;
  logged.length = 0;
  const env = { ...jobs.env, ANTHROPIC_API_KEY: apiKey, DATABASE_TOKEN: bearer };
  service = await runService({
    home,
    env,
    version: "test",
    writeLog: (line) => void logged.push(line),
  });
  connection = await connect({ socketPath: service.socketPath });
  for (const name of ["chat.delta", "chat.tool", "chat.end"] as const)
    connection.on(name, ({ event }) => void heard.push(event));
});

afterEach(async () => {
  connection.close();
  await service.stop(0);
  await jobs.close();
});

/** Also of one whose bytes stand at another place of the base64. */
const forbidden = Object.values(secrets).flatMap((secret) => {
  const { literal, base64: shifted } = formsOf(secret);
  return [...literal, ...shifted];
});

const found = (text: string) => forbidden.filter((form) => text.includes(form));

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

async function say(text: string): Promise<ChatEvent & { readonly type: "run.finished" }> {
  const before = heard.length;
  await connection.call("chat.send", { chat: "c", text });
  for (;;) {
    const end = heard.slice(before).find((event) => event.type === "run.finished");
    if (end !== undefined) return end;
    for (const { id, kind } of await connection.call("approvals.list", {}))
      if (kind === "call")
        await connection.call("approvals.decide", { id, decision: "approve" }).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function everythingShown(): Promise<string> {
  const [session] = await connection.call("sessions.list", {});
  return JSON.stringify([
    await connection.call("sessions.show", { id: session?.session_id ?? "" }),
    await connection.call("runs.list", {}),
    await connection.call("audit.query", {}),
    await connection.call("approvals.list", {}),
    await connection.call("actors.tree", {}),
    await connection.call("status", {}),
  ]);
}

it("L04: no secret is in any file, log line or answer after a session that is full of them", async () => {
  expect(await say(`remember ${everything}`)).toMatchObject({ status: "done" });
  expect(await say("go wrong")).toMatchObject({ status: "failed" });
  const outputs = { heard: JSON.stringify(heard), shown: await everythingShown() };
  expect(outputs.shown).toContain("[redacted]");
  const told = heard.map((event) => (event.type === "text.delta" ? event.text : "")).join("");
  expect(told).toContain("I see [redacted]");
  expect(found(told)).toEqual([]);
  expect(found(outputs.heard)).toEqual([]);
  expect(found(outputs.shown)).toEqual([]);
  expect(found(logged.join(""))).toEqual([]);

  await service.stop(0);
  const own = ["secrets/key", "workspace/main/notes.txt"].map((path) => join(jobs.home, path));
  const files = filesBelow(jobs.home).filter((path) => !own.includes(path));
  expect(files).toContain(join(jobs.home, "data/statehive.db"));
  for (const file of files) expect([file, found(readFileSync(file, "latin1"))]).toEqual([file, []]);
  expect(readFileSync(join(jobs.home, "workspace/main/out.txt"), "utf8")).toContain("[redacted]");
});

it("L05: the configuration and the sessions show no value of a secret, and no end of one", async () => {
  await say("hello");
  const env = { ...jobs.env, ANTHROPIC_API_KEY: apiKey, DATABASE_TOKEN: bearer };
  const loaded = loadConfig(jobs.home, env);
  if (!loaded.ok) throw new Error("the configuration is not in order");
  const shown = `${JSON.stringify(showConfig(loaded.config))}${await everythingShown()}`;
  expect(shown).toContain("env:ANTHROPIC_API_KEY");
  for (const secret of Object.values(secrets)) {
    expect(shown).not.toContain(secret.slice(-6));
    expect(shown).not.toContain(secret.slice(0, 12));
  }
});

it("L04: a secret that comes letter by letter is held back until it is known for one", () => {
  const redactor = createRedactor(Object.values(secrets));
  const text = `a ${apiKey} b ${base64(bearer)} sk-ant-api03-Zq8vXr2 is none; ${privateKey}`;
  for (const size of [1, 2, 7, 1_000]) {
    const pieces = redactor.stream();
    let shown = "";
    for (let at = 0; at < text.length; at += size) {
      shown += pieces.push(text.slice(at, at + size));
      expect(found(shown)).toEqual([]);
    }
    shown += pieces.end();
    expect(shown).toBe("a [redacted] b [redacted] sk-ant-api03-Zq8vXr2 is none; [redacted]");
  }
});

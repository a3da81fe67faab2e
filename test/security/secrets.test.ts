import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { showConfig } from "../../src/config/show-config.ts";
import { connect, type Connection } from "../../src/client/connection.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { createRedactor } from "../../src/policy/redaction.ts";
import type { ChatEvent } from "../../src/schema/socket/protocol.ts";
import { type RunningService, runService } from "../../src/server/run-service.ts";
import { journal, messages } from "../actors/hive-watch.ts";
import { createTestHive, place } from "../support/hive.ts";
import type { JobHome } from "../support/jobs.ts";
import {
  apiKey,
  base64,
  bearer,
  everything,
  filesWithSecrets,
  found,
  homeWithSecrets,
  ownFiles,
  privateKey,
  secrets,
} from "./planted-secrets.ts";

/** Secrets that are planted everywhere a session can meet them, and looked for in everything that it leaves. */

let jobs: JobHome;
let service: RunningService;
let connection: Connection;
const heard: ChatEvent[] = [];
const logged: string[] = [];

beforeEach(async () => {
  jobs = await homeWithSecrets([
    ["file_read", { path: "notes.txt" }],
    ["file_read", { path: `${apiKey}/${base64(bearer)}.txt` }],
    ["file_write", { path: "out.txt", content: everything }],
  ]);
  heard.length = 0;
  logged.length = 0;
  service = await runService({
    home: jobs.home,
    env: jobs.env,
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
  expect(existsSync(join(jobs.home, "data/statehive.db"))).toBe(true);
  expect(filesWithSecrets(jobs.home, ownFiles)).toEqual([]);
  expect(readFileSync(join(jobs.home, "workspace/main/out.txt"), "utf8")).toContain("[redacted]");
});

it("L05: the configuration and the sessions show no value of a secret, and no end of one", async () => {
  await say("hello");
  const loaded = loadConfig(jobs.home, jobs.env);
  if (!loaded.ok) throw new Error("the configuration is not in order");
  const shown = `${JSON.stringify(showConfig(loaded.config))}${await everythingShown()}`;
  expect(shown).toContain("env:ANTHROPIC_API_KEY");
  for (const secret of secrets) {
    expect(shown).not.toContain(secret.slice(-6));
    expect(shown).not.toContain(secret.slice(0, 12));
  }
});

it("L04: a secret that comes letter by letter is held back until it is known for one", () => {
  const redactor = createRedactor(secrets);
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

it("L04: a secret that stands in a name or a key is refused, and nothing of it is stored", async () => {
  const hive = await createTestHive({ redactor: createRedactor(secrets) });
  const refusal = { code: "event.invalid", message: expect.stringContaining("secret") };
  await expect(hive.say("hello", `${place}-${apiKey}`)).rejects.toMatchObject(refusal);
  await expect(hive.say("hello", place, base64(bearer))).rejects.toMatchObject(refusal);
  expect(await journal(hive)).toEqual([]);
  await hive.say(`hello ${apiKey}`, place, "a name like others");
  await hive.engine.settled();
  expect(found(JSON.stringify([await journal(hive), await messages(hive)]))).toEqual([]);
});

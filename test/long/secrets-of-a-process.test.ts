import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Connection } from "../../src/client/connection.ts";
import type { ShownApproval } from "../../src/schema/socket/protocol.ts";
import { bubblewrap } from "../adapters/sandbox/sandboxed.ts";
import { run } from "../cli/support/fake-terminal.ts";
import type { JobHome } from "../support/jobs.ts";
import { connectRaw } from "../support/raw-socket.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import {
  type Call,
  everything,
  filesWithSecrets,
  found,
  homeWithSecrets,
  ownFiles,
  secrets,
} from "../security/planted-secrets.ts";

/** A real service, killed and started again, among people, a model, tools and clients that all say its secrets aloud. */

const agentYaml = `id: main
tools: { allow: [file_read, file_list, file_write, shell_exec, ask_user] }
capabilities: { boundary: ["fs.read:**", "fs.write:**", "shell.exec:*"], grant: ["fs.read:**"], deny: [] }
`;

const calls: readonly Call[] = [
  ["file_read", { path: "notes.txt" }],
  ["shell_exec", { command: "cat long.txt" }],
  ["ask_user", { question: `Is it ${secrets[0]}?` }],
  ["file_write", { path: "denied.txt", content: everything }],
  ["file_write", { path: "out.txt", content: everything }],
];

type Stage = {
  readonly jobs: JobHome;
  readonly service: ServiceProcess;
  readonly connection: Connection;
};

async function begin(jobs: JobHome): Promise<Stage> {
  const env = { ...jobs.env, UNNAMED_SECRET: secrets.join("-") };
  const service = await startServiceProcess({ home: jobs.home, env });
  return { jobs, service, connection: await service.connect() };
}

async function pending({ connection }: Stage): Promise<ShownApproval> {
  for (;;) {
    const [open] = await connection.call("approvals.list", {});
    if (open !== undefined) return open;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Says yes to the command, answers the question, refuses the first file. @returns once the second file is asked about */
async function decideUntilTheLast(stage: Stage): Promise<ShownApproval> {
  const { call } = stage.connection;
  const allowed = await pending(stage);
  await call("approvals.decide", { id: allowed.id, decision: "approve", reason: everything });
  const asked = await pending(stage);
  await call("approvals.answer", { id: asked.id, value: everything });
  const refused = await pending(stage);
  await call("approvals.decide", { id: refused.id, decision: "deny", reason: everything });
  return pending(stage);
}

/** What no client should say. */
async function sayNonsense({ service }: Stage): Promise<void> {
  const [secret = ""] = secrets;
  for (const line of [
    `${secret}\n`,
    `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(secret)}}\n`,
    `{"jsonrpc":"2.0","id":1,"method":"actor.send","params":{"address":${JSON.stringify(secret)},"event":"run.cancel"}}\n`,
    `{"jsonrpc":"2.0","id":1,"method":"chat.send","params":{${JSON.stringify(secret)}:1}}\n`,
  ]) {
    const socket = await connectRaw(service.socketPath);
    await socket.ask(line);
    socket.close();
  }
}

async function ended({ connection }: Stage, count: number): Promise<void> {
  for (;;) {
    const runs = await connection.call("runs.list", {});
    if (runs.filter(({ ended_at }) => ended_at !== null).length === count) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

it.skipIf(!bubblewrap.ok)(
  "L04: no secret is in any byte that a service leaves, prints or tells, killed in the middle of it",
  async () => {
    const jobs = await homeWithSecrets(calls);
    onTestFinished(() => jobs.close());
    writeFileSync(join(jobs.home, "config/agents.d/main.yaml"), agentYaml, { mode: 0o600 });
    const left = () => filesWithSecrets(jobs.home, ownFiles);

    const first = await begin(jobs);
    await first.connection.call("chat.send", { chat: "c", text: `remember ${everything}` });
    const open = await decideUntilTheLast(first);
    await sayNonsense(first);
    await first.service.kill();
    expect(left()).toEqual([]);

    const second = await begin(jobs);
    const { call } = second.connection;
    await call("approvals.decide", { id: open.id, decision: "approve" });
    await ended(second, 1);
    await call("chat.send", { chat: "c", text: `go wrong ${everything}` });
    await ended(second, 2);
    const told: string[] = [];
    for (const words of [
      ["backup", join(jobs.home, "copy.db")],
      ["audit", "export", "--format", "csv"],
      ["audit", "query", "--json"],
      ["events", "tail", "--no-follow", "--limit", "1000"],
      ["logs", "--limit", "1000"],
      ["config", "show", "--origin"],
      ["doctor"],
      ["approvals", "list"],
      ["task", "list"],
      ["sessions", "show", "s1"],
    ]) {
      const { out, err } = await run([...words, "--home", jobs.home], { env: jobs.env });
      told.push(out, err);
    }
    second.connection.close();
    await second.service.stop();
    expect(told.join("")).toContain("[redacted]");
    expect(found(told.join(""))).toEqual([]);
    expect(found(first.service.errors() + second.service.errors())).toEqual([]);
    expect(left()).toEqual([]);
  },
);

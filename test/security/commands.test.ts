import { expect, it } from "vitest";
import {
  createScriptedSandbox,
  type ScriptedSandbox,
} from "../../src/adapters/sandbox/scripted-sandbox.ts";
import type { RiskClass } from "../../src/schema/tool.ts";
import { approvals, audit, decide, pendingApproval, results } from "../actors/hive-watch.ts";
import { agentWith, fixedAgents } from "../actors/test-agents.ts";
import { createTestHive } from "../support/hive.ts";

/** What a person allowed is what runs: program and walls are part of what was shown. */

const command = (text: string) => `call shell_exec ${JSON.stringify({ command: text })}`;

function hiveOf(sandbox: ScriptedSandbox, risk: Record<string, RiskClass> = {}) {
  const agent = agentWith({
    sandbox,
    policy: {
      allow: ["shell_exec"],
      risk,
      boundary: ["shell.exec:*"],
      grant: ["shell.exec:ls", "shell.exec:git status"],
      deny: [],
    },
  });
  return createTestHive({ agents: fixedAgents(agent) });
}

it("H08: a program's name is resolved before a person is asked, shown, and run by that path", async () => {
  const sandbox = createScriptedSandbox(() => ({ output: "a" }));
  const hive = await hiveOf(sandbox);
  await hive.say(command("ls -l"));
  await hive.engine.settled();
  expect(await pendingApproval(hive)).toMatchObject({ summary: "Run: ls -l (ls is /usr/bin/ls)" });
  await decide(hive);
  await hive.engine.settled();
  expect(sandbox.begun.map(({ program }) => program)).toEqual([
    { kind: "argv", argv: ["/usr/bin/ls", "-l"] },
  ]);
});

it("H08: a name that means another program by the time of the start is denied, and nothing begins", async () => {
  const scripted = createScriptedSandbox(() => ({}));
  let directory = "/usr/bin";
  const hive = await hiveOf({ ...scripted, locate: (name) => `${directory}/${name}` });
  await hive.say(command("ls"));
  await hive.engine.settled();
  directory = "/usr/local/bin";
  await decide(hive);
  await hive.engine.settled();
  expect(scripted.begun).toEqual([]);
  expect(await results(hive)).toEqual([
    "permission.denied: The call is not the one that was allowed.",
  ]);
});

it("tells the model of a program that does not exist, and asks nobody", async () => {
  const scripted = createScriptedSandbox(() => ({}));
  const hive = await hiveOf({ ...scripted, locate: () => undefined });
  await hive.say(command("frobnicate now"));
  await hive.engine.settled();
  expect(await approvals(hive)).toEqual([]);
  expect(await results(hive)).toEqual(["tool.failed: There is no program frobnicate."]);
  expect(await audit(hive)).toMatchObject([{ kind: "decision", status: "invalid" }]);
});

it("asks each time about a command in no sandbox, whatever is granted, and says so", async () => {
  const confined = createScriptedSandbox(() => ({}));
  const quiet = await hiveOf(confined, { shell_exec: "guarded" });
  await quiet.say(command("git status"));
  await quiet.engine.settled();
  expect(await approvals(quiet)).toEqual([]);

  const unconfined = createScriptedSandbox(() => ({}), false);
  const hive = await hiveOf(unconfined, { shell_exec: "guarded" });
  await hive.say(command("git status"));
  await hive.engine.settled();
  expect(await pendingApproval(hive)).toMatchObject({
    risk: "unsafe",
    summary: "UNCONFINED, in no sandbox: Run: git status (git is /usr/bin/git)",
    reason:
      "No sandbox holds this command: it can read, change and send whatever you can. You are asked each time.",
    proposed_grants: [],
  });
  await decide(hive);
  await hive.engine.settled();
  expect(await results(hive)).toEqual([
    "[no output; exit code 0; it ran in no sandbox, so the workspace was not at /workspace]",
  ]);
});

it("does not run outside a sandbox what was allowed to run in one", async () => {
  let isConfined = true;
  const scripted = createScriptedSandbox(() => ({}));
  const hive = await hiveOf({ ...scripted, available: () => ({ ok: true, isConfined }) });
  await hive.say(command("ls"));
  await hive.engine.settled();
  isConfined = false;
  await decide(hive);
  await hive.engine.settled();
  expect(scripted.begun).toEqual([]);
});

import { describe, expect, it } from "vitest";
import {
  createScriptedSandbox,
  type ScriptedSandbox,
} from "../../src/adapters/sandbox/scripted-sandbox.ts";
import { hashOf } from "../../src/policy/canonical-json.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import type { RiskClass } from "../../src/schema/tool.ts";
import { shellExecTool } from "../../src/tools/shell-exec.ts";
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
    "permission.denied: What the call would do has changed since it was allowed. Make it again to have it asked about.",
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

  const unconfined = createScriptedSandbox(() => ({}), { isConfined: false });
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

describe("H10: a script that changes", () => {
  const script = "scripts/report.py";
  const reporting = command(`python3 ${script} --month 11`);

  function place() {
    const files = new Map([[script, "print(1)"]]);
    return { files, sandbox: createScriptedSandbox(() => ({ output: "a" }), { files }) };
  }

  it("between the question and the answer is not run, and the model is told", async () => {
    const { files, sandbox } = place();
    const hive = await hiveOf(sandbox);
    await hive.say(reporting);
    await hive.engine.settled();
    files.set(script, "import os");
    await decide(hive);
    await hive.engine.settled();
    expect(sandbox.begun).toEqual([]);
    expect(await results(hive)).toEqual([
      "permission.denied: What the call would do has changed since it was allowed. Make it again to have it asked about.",
    ]);
  });

  it("between the last look and the start is not run either", async () => {
    const { files, sandbox } = place();
    let looks = 0;
    const digest: ScriptedSandbox["digest"] = (directory, path) => {
      looks += 1;
      if (looks === 3) files.set(script, "import os");
      return sandbox.digest(directory, path);
    };
    const hive = await hiveOf({ ...sandbox, digest });
    await hive.say(reporting);
    await hive.engine.settled();
    await decide(hive);
    await hive.engine.settled();
    expect([looks, sandbox.begun]).toEqual([3, []]);
    expect(await results(hive)).toEqual([
      "tool.failed: What the command runs has changed since it was allowed, so nothing was begun.",
    ]);
  });

  it("is asked about again though it was allowed for the session, with the reason", async () => {
    const { files, sandbox } = place();
    const hive = await hiveOf(sandbox, { shell_exec: "guarded" });
    const say = async (text: string) => {
      await hive.say(text);
      await hive.engine.settled();
    };
    await say(reporting);
    await decide(hive, { scope: "session" });
    await hive.engine.settled();
    await say(command(`python3 ${script} --month 12`));
    expect(sandbox.begun).toHaveLength(2);
    files.set(script, "import os");
    await say(reporting);
    expect(sandbox.begun).toHaveLength(2);
    expect(await pendingApproval(hive)).toMatchObject({
      reason: "Guarded; scripts/report.py has changed since it was allowed; asks.",
      proposed_grants: ["shell.exec:python3 scripts/report.py"],
      terms:
        "with any further arguments, run in the workspace, while scripts/report.py stays as it is",
    });
    await decide(hive, { scope: "session" });
    await hive.engine.settled();
    await say(reporting);
    expect(sandbox.begun).toHaveLength(4);
  });
});

it("H10, H14: binds an approval to program, words, directory, surroundings and the files that run", () => {
  const files = new Map([["x.py", "1"]]);
  const sandbox = createScriptedSandbox(() => ({}), { files });
  const call = { command: "python3 x.py" };
  const bound = (input: JsonObject, changes: Partial<ScriptedSandbox> = {}) => {
    const found = shellExecTool.circumstances?.(input, { sandbox: { ...sandbox, ...changes } });
    return found?.ok === true ? hashOf(found.bound) : found?.reason;
  };
  const usual = bound(call);
  expect(bound({ ...call, cwd: "./." })).toBe(usual);
  const others = [
    bound({ command: "python3 x.py 1" }),
    bound({ ...call, cwd: "src" }),
    bound(call, { locate: (name) => `/usr/local/bin/${name}` }),
    bound(call, { surroundings: () => ["--setenv", "PATH", "/workspace"] }),
    bound(call, { available: () => ({ ok: true, isConfined: false }) }),
    bound(call, { digest: () => ({ kind: "absent" }) }),
    bound(call, { digest: () => ({ kind: "unfit", reason: "x.py is a link." }) }),
    bound({ command: "cat x.py | python3" }),
    bound({ command: "cat x.py | python3" }, { digest: () => ({ kind: "absent" }) }),
  ];
  expect(new Set([usual, ...others]).size).toBe(others.length + 1);
  expect(bound({ ...call, cwd: "../elsewhere" })).toBe(
    "file.outside: ../elsewhere leads outside the workspace.",
  );
});

it("H02: text for a shell is asked about each time, even where the agent may run every command", async () => {
  const sandbox = createScriptedSandbox(() => ({}));
  const policy = {
    allow: ["shell_exec"],
    risk: { shell_exec: "guarded" as const },
    boundary: ["shell.exec:*"],
    grant: ["shell.exec:*"],
    deny: [],
  };
  const hive = await createTestHive({ agents: fixedAgents(agentWith({ sandbox, policy })) });
  await hive.say(command("git status"));
  await hive.engine.settled();
  expect(await approvals(hive)).toEqual([]);
  await hive.say(command("git status | sh"));
  await hive.engine.settled();
  expect(await pendingApproval(hive)).toMatchObject({ risk: "unsafe", proposed_grants: [] });
  expect(sandbox.begun).toHaveLength(1);
});

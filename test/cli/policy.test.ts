import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createMissingSandbox } from "../../src/adapters/sandbox/bubblewrap.ts";
import { createScriptedSandbox } from "../../src/adapters/sandbox/scripted-sandbox.ts";
import { explainCall } from "../../src/app/tools/policy-dry-run.ts";
import { alike, judgeAgain, sumOf } from "../../src/app/tools/policy-replay.ts";
import { inWords } from "../../src/cli/commands/policy-replay.ts";
import { loadWithAgent } from "../../src/config/changed-agent.ts";
import type { SandboxView } from "../../src/ports/sandbox.ts";
import type { AgentConfig } from "../../src/schema/config/config.ts";
import type { ShownAudit } from "../../src/schema/socket/protocol.ts";
import { configOf, homeWith, temporaryDirectory } from "../config/homes.ts";
import { run } from "./support/fake-terminal.ts";

function agentOf(yaml: string): AgentConfig {
  const [agent] = configOf(homeWith({ "config/agents.d/main.yaml": `id: main\n${yaml}` })).agents;
  if (agent === undefined) throw new Error("no agent");
  return agent;
}

describe("policy explain", () => {
  const explained = async (yaml: string, ...call: readonly [string, object]) => {
    const home = homeWith({ "config/agents.d/main.yaml": `id: main\n${yaml}` });
    const [tool, input] = call;
    const json = JSON.stringify(input);
    const { out } = await run(["policy", "explain", "main", tool, json, "--json", "--home", home]);
    return JSON.parse(out).data;
  };

  it("says what would be asked, and what a person could allow beyond the call", async () => {
    expect(await explained("", "file_write", { path: "notes/a.md", content: "x" })).toEqual({
      verdict: "ask",
      risk: "guarded",
      reason: "Guarded; no grant covers fs.write:notes/a.md; asks.",
      capabilities: ["fs.write:notes/a.md"],
      grantable: true,
      proposed_grants: ["fs.write:notes/a.md"],
      terms: "",
      question: null,
    });
  });

  it("says what runs, and what never does", async () => {
    const granted = "capabilities: { grant: ['fs.write:notes/**'] }\n";
    const input = { path: "notes/a.md", content: "x" };
    expect(await explained(granted, "file_write", input)).toMatchObject({ verdict: "run" });
    expect(await explained("", "file_read", { path: ".env" })).toMatchObject({
      verdict: "deny",
      reason: "Denied: the deny rule fs.read:**/.env of the agent covers fs.read:.env.",
    });
  });

  it("tells people in words", async () => {
    const home = homeWith();
    const input = '{"url":"https://nodejs.org/api"}';
    const { out } = await run(["policy", "explain", "main", "web_fetch", input, "--home", home]);
    expect(out).toBe(
      [
        "A person is asked.",
        "  because   Guarded; no grant covers net.fetch:nodejs.org; asks.",
        "  class     guarded",
        "  needs     net.fetch:nodejs.org",
        "  may allow net.fetch:nodejs.org",
        "",
      ].join("\n"),
    );
  });

  describe("of a command", () => {
    const sandbox = createScriptedSandbox(() => ({}), { files: new Map([["a.py", "print()"]]) });
    const command = (text: string, view: SandboxView = sandbox) => {
      const agent = agentOf("tools: { risk: { shell_exec: guarded } }\n");
      const call = { tool: "shell_exec", input: { command: text } };
      return explainCall(agent, call, async () => ({ sandbox: view }));
    };

    it("says to what a grant of it would be bound", async () => {
      expect(await command("python3 a.py")).toMatchObject({
        verdict: "ask",
        proposed_grants: ["shell.exec:python3 a.py"],
        terms: "with any further arguments, run in the workspace, while a.py stays as it is",
      });
      expect(await command("ls | wc")).toMatchObject({
        verdict: "ask",
        grantable: false,
        terms: "",
      });
    });

    it("says what keeps it from being run here, or in a sandbox", async () => {
      expect(await command("ls", createMissingSandbox("There is none."))).toMatchObject({
        verdict: "deny",
        reason: "tool.failed: Commands cannot be run here: There is none.",
      });
      const unconfined = createScriptedSandbox(() => ({}), { isConfined: false });
      expect(await command("ls", unconfined)).toMatchObject({
        verdict: "ask",
        grantable: false,
        reason: expect.stringContaining("No sandbox holds this command"),
      });
    });
  });

  it("says of a tool that asks what it asks", async () => {
    const input = '{"question":"Tea?\\u001b[2J"}';
    const words = ["policy", "explain", "main", "ask_user", input];
    const { out } = await run(words.concat("--home", homeWith()));
    expect(out).toContain("It puts its question to a person: Tea?\\x1b[2J\n");
    expect(await explained("", "ask_user", { question: "Tea?" })).toMatchObject({
      verdict: "run",
      capabilities: [],
      question: "Tea?",
    });
  });

  it.each([
    [["main", "file_write", "{"], 2, "The input is no JSON: {"],
    [["main", "file_write", "{}"], 1, "file_write: path is missing; content is missing."],
    [["main", "file_read", '{"path":""}'], 1, "file_read: path must not be empty."],
    [["main", "ask_user", '{"question":"q","options":["a"]}'], 1, "at least 2 entries."],
    [["main", "nothing", "{}"], 6, 'There is no tool "nothing"; there are: file_read, '],
    [["main", "FILE_READ", "{}"], 6, "did you mean file_read?"],
    [["main", "spawn_agent", "{}"], 6, "This version does not have the tool spawn_agent yet;"],
    [["nobody", "file_read", "{}"], 6, "There is no agent"],
  ])("refuses %j", async (args, code, message) => {
    const refused = await run(["policy", "explain", ...args, "--home", homeWith()]);
    expect(refused.code).toBe(code);
    expect(refused.err).toContain(message);
  });
});

describe("policy replay", () => {
  const row: ShownAudit = {
    n: 1,
    at: "2026-01-01T00:00:00.000Z",
    kind: "decision",
    trace_id: "t1",
    task_id: "t1",
    run_id: "r1",
    step_id: "r1.1",
    session: "s1",
    agent: "main",
    tool_call_id: "c1",
    tool: "file_write",
    input: { path: "notes/a.md" },
    input_hash: "",
    requested_capabilities: ["fs.write:notes/a.md"],
    granted_capabilities: [],
    approval_required: 1,
    approval_result: "approved",
    decided_by: "cli",
    start_at: "2026-01-01T00:00:00.000Z",
    end_at: "2026-01-01T00:00:00.000Z",
    status: "approved",
    reason: null,
    error: null,
    prev_hash: "",
    hash: "",
  };

  const rulesOf = (yaml: string) => ({ present: agentOf(""), changed: agentOf(yaml) });

  it("tells what was asked and would run, be asked or be denied under other rules", () => {
    const becomes = (yaml: string) => judgeAgain(rulesOf(yaml), row);
    expect(becomes("")).toMatchObject({ was: "ask", now: "ask", becomes: "ask" });
    expect(becomes("capabilities: { grant: ['fs.write:**'] }\n")).toMatchObject({ becomes: "run" });
    expect(becomes("capabilities: { deny: ['fs.write:notes/**'] }\n")).toEqual({
      n: 1,
      at: row.at,
      agent: "main",
      run_id: "r1",
      tool: "file_write",
      input: { path: "notes/a.md" },
      capabilities: ["fs.write:notes/a.md"],
      was: "ask",
      now: "ask",
      becomes: "deny",
      reason: "Denied: the deny rule fs.write:notes/** of the agent covers fs.write:notes/a.md.",
    });
  });

  it("knows what the policy itself had allowed or denied, and leaves out what it had no say in", () => {
    const rules = rulesOf("");
    const byPolicy = { ...row, decided_by: "policy", approval_required: 0 } as const;
    expect(judgeAgain(rules, { ...byPolicy, status: "allowed" })?.was).toBe("run");
    expect(judgeAgain(rules, { ...byPolicy, status: "denied" })?.was).toBe("deny");
    expect(judgeAgain(rules, { ...byPolicy, status: "invalid" })).toBeUndefined();
    expect(judgeAgain(rules, { ...row, status: "revoked" })).toBeUndefined();
    expect(judgeAgain(rules, { ...row, kind: "invocation" })).toBeUndefined();
    expect(judgeAgain(rules, { ...row, agent: "other" })).toBeUndefined();
  });

  const replayed = (yaml: string, ...rows: readonly Partial<ShownAudit>[]) => {
    const rules = rulesOf(yaml);
    return rows.flatMap((changes) => judgeAgain(rules, { ...row, ...changes }) ?? []);
  };

  it("takes no call for changed that ran because a person had granted it", () => {
    const ran = { decided_by: "policy", status: "allowed", approval_required: 0 } as const;
    const calls = replayed("", ran);
    expect(calls).toMatchObject([{ was: "run", now: "ask", becomes: "ask" }]);
    expect(sumOf(calls)).toMatchObject({ judged: 1, changed: 0, changes: [] });
  });

  const needing = (...names: readonly string[]) =>
    names.map((name, index) => ({ n: index, requested_capabilities: [`fs.write:${name}`] }));
  const otherRules =
    "capabilities: { grant: ['fs.write:notes/**'], deny: ['fs.write:secret/**'] }\n";

  it("adds up how many calls would end how, the looser first, and how often a person is asked", () => {
    const calls = replayed(otherRules, ...needing("secret/a", "notes/a", "notes/b", "other"));
    expect(sumOf(calls)).toEqual({
      judged: 4,
      changed: 3,
      changes: [
        { from: "ask", to: "run", calls: 2, is_looser: true },
        { from: "ask", to: "deny", calls: 1, is_looser: false },
      ],
      asks: { from: 4, to: 1 },
    });
  });

  it("compares with what happened where the agent is not configured yet", () => {
    const call = judgeAgain({ present: undefined, changed: agentOf(otherRules) }, row);
    expect(call).toMatchObject({ was: "ask", now: null, becomes: "run" });
    expect(sumOf(call === undefined ? [] : [call]).changes).toEqual([
      { from: "ask", to: "run", calls: 1, is_looser: true },
    ]);
  });

  it("says the sum in lines whose numbers stand below each other", () => {
    const calls = replayed(otherRules, ...needing("secret/a", "notes/a", "notes/b", "other"));
    expect(inWords(sumOf(calls), true)).toEqual([
      "3 of 4 calls would be decided differently:",
      "  ask -> run   2  (looser)",
      "  ask -> deny  1  (stricter)",
      "a person is asked once instead of 4; what people had granted is not counted.",
    ]);
  });

  it("takes calls that need the same for one, the most frequent first", () => {
    const calls = replayed(otherRules, ...needing("secret/a", "notes/a", "notes/a"));
    expect(alike(calls)).toMatchObject([
      { capabilities: ["fs.write:notes/a"], from: "ask", becomes: "run", calls: 2, last: { n: 2 } },
      { capabilities: ["fs.write:secret/a"], from: "ask", becomes: "deny", calls: 1 },
    ]);
  });

  it("names the faults of the changed file where it lies", () => {
    const home = homeWith();
    const file = join(temporaryDirectory(), "new-main.yaml");
    writeFileSync(file, "id: main\ntools: { alow: [] }\n", { mode: 0o600 });
    const { agentId, result } = loadWithAgent(home, {}, file);
    expect(agentId).toBe("main");
    expect(result).toMatchObject({ ok: false, faults: [{ file, line: 2, nearest: "allow" }] });
  });
});

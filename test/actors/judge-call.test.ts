import { expect, it } from "vitest";
import { createJudge, type JudgedCall } from "../../src/actors/judge-call.ts";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { bindingOf } from "../../src/policy/call-binding.ts";
import { noTrust } from "../../src/schema/contexts.ts";
import { grantTable } from "../../src/schema/permission-rows.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { createToolRegistry } from "../../src/tools/registry.ts";
import { agentWith, fixedAgents } from "./test-agents.ts";

/** The policy's word on one call, from what is true now. */

const call: JudgedCall = {
  agent_id: "main",
  session_address: "session/k",
  task_id: "t1",
  run_id: "r1",
  step_id: "r1.1",
  call_id: "c1",
  tool: "file_write",
  input: { path: "a.txt", content: "hi" },
  trust: noTrust,
};

async function judged(changes: Partial<JudgedCall> = {}, grantOwner?: string) {
  const store = createMemoryStore({ tables: allTables });
  store.begin();
  if (grantOwner !== undefined) {
    store.put(grantTable, {
      grant_id: "g1",
      session_address: "session/k",
      owner: grantOwner,
      scope: "session",
      effect: "allow",
      tool: "file_write",
      capability: "fs.write:a.txt",
      pin: null,
      terms: "",
      accepted: [],
      approval_id: "a1",
      given_by: "ann",
      given_at: 0,
      expires_at: null,
    });
  }
  await store.commit();
  const agent = agentWith();
  const judge = createJudge(fixedAgents(agent), createToolRegistry(builtInTools));
  return judge(store, { ...call, ...changes }, 0);
}

it("asks about a guarded call, and proposes exactly what the call needs", async () => {
  expect(await judged()).toEqual({
    verdict: "ask",
    risk: "guarded",
    reason: "Not granted yet.",
    summary: "Write 2 bytes to a.txt",
    requested: ["fs.write:a.txt"],
    granted: [],
    proposed_grants: ["fs.write:a.txt"],
    pin: null,
    terms: "",
    brings: noTrust,
    question: "",
    options: [],
    binding: bindingOf(call),
  });
});

it("lets it run under a grant of its own session, and of no other", async () => {
  expect(await judged({}, "session/k")).toMatchObject({
    verdict: "run",
    granted: ["fs.write:a.txt"],
  });
  expect(await judged({}, "session/other")).toMatchObject({ verdict: "ask", granted: [] });
});

it("turns a tool that asks into a question with its options", async () => {
  const input = { question: "Tea or coffee?", options: ["tea", "coffee"] };
  expect(await judged({ tool: "ask_user", input })).toMatchObject({
    verdict: "question",
    question: "Tea or coffee?",
    options: ["tea", "coffee"],
  });
});

it.each([
  [
    "an agent that is gone",
    { agent_id: "nobody" },
    "deny",
    "The agent nobody is not configured any more.",
  ],
  [
    "a tool that does not exist",
    { tool: "rm" },
    "invalid",
    "tool.not_found: There is no tool rm. There are: file_read, file_write, ask_user.",
  ],
  [
    "a tool that is not the agent's",
    { tool: "file_list", input: { path: "." } },
    "deny",
    "The agent's tool list does not have file_list.",
  ],
] as const)("refuses %s", async (_, changes, verdict, reason) => {
  expect(await judged(changes)).toMatchObject({ verdict, reason, granted: [] });
});

it("says which field of an input is wrong", async () => {
  const { verdict, reason } = await judged({ input: { path: "a.txt" } });
  expect(verdict).toBe("invalid");
  expect(reason).toMatch(/^tool\.invalid_input: file_write: .*content/);
});

it("binds to agent, session, task, run, step, call, tool and every argument", () => {
  const changes: Partial<JudgedCall>[] = [
    { agent_id: "other" },
    { session_address: "session/other" },
    { task_id: "t2" },
    { run_id: "r2" },
    { step_id: "r1.2" },
    { call_id: "c2" },
    { tool: "file_read" },
    { input: { path: "a.txt", content: "ho" } },
  ];
  const bindings = changes.map((change) => bindingOf({ ...call, ...change }));
  expect(new Set([bindingOf(call), ...bindings]).size).toBe(9);
  expect(bindingOf({ ...call, input: { content: "hi", path: "a.txt" } })).toBe(bindingOf(call));
});

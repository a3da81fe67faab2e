import { expect, it } from "vitest";
import { createJudge, type JudgedCall } from "../../src/actors/judge-call.ts";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { bindingOf } from "../../src/policy/call-binding.ts";
import { noTrust } from "../../src/schema/contexts/trust.ts";
import {
  type Approval,
  approvalTable,
  type Grant,
  grantOwners,
  grantTable,
} from "../../src/schema/rows/permission-rows.ts";
import {
  agentConfigTable,
  type Run,
  runTable,
  type Task,
  taskTable,
} from "../../src/schema/rows/run-rows.ts";
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

/** @param done what is true as the call is judged, besides its open run */
async function judged(changes: Partial<JudgedCall> = {}, done: Partial<Rows> = {}, at = 0) {
  const store = createMemoryStore({ tables: allTables });
  store.begin();
  const { grants = [], run = openRun, task = openTask } = done;
  store.put(runTable, run);
  store.put(taskTable, task);
  for (const grant of grants) store.put(grantTable, { ...sessionGrant, ...grant });
  const { workspace } = done;
  store.put(approvalTable, {
    approval_id: "a1",
    run_id: "r0",
    answer: "not in this folder",
  } as Approval);
  if (workspace !== undefined) {
    store.put(runTable, { ...openRun, run_id: "r0", config_hash: "then" });
    const config = { hash: "then", agent_id: "main", config: { workspace }, first_used_at: 0 };
    store.put(agentConfigTable, config);
  }
  await store.commit();
  const agent = agentWith();
  const judge = createJudge(fixedAgents(agent), createToolRegistry(builtInTools));
  return judge(store, { ...call, ...changes }, at);
}

type Rows = {
  readonly grants: readonly Partial<Grant>[];
  readonly run: Run;
  readonly task: Task;
  /** Of the agent when the grants were given. */
  readonly workspace: string;
};

const openRun = { run_id: "r1", task_id: "t1", state: null, config_hash: null } as Run;
const openTask = { task_id: "t1", boundary: ["fs.*:**"] as readonly string[] } as Task;

const sessionGrant: Grant = {
  grant_id: "g1",
  session_address: "session/k",
  owner: "session/k",
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
};

it("counts no grant that was given when the agent had another workspace", async () => {
  const granted = { grants: [{}] };
  expect(await judged({}, { ...granted, workspace: "/workspace/main" })).toMatchObject({
    verdict: "run",
  });
  expect(await judged({}, { ...granted, workspace: "/elsewhere" })).toMatchObject({
    verdict: "ask",
  });
});

it("asks about a guarded call, and proposes exactly what the call needs", async () => {
  expect(await judged()).toEqual({
    verdict: "ask",
    risk: "guarded",
    reason: "Guarded; no grant covers fs.write:a.txt; asks.",
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
  expect(await judged({}, { grants: [{}] })).toMatchObject({
    verdict: "run",
    granted: ["fs.write:a.txt"],
    reason: "Guarded; granted by fs.write:a.txt of a person for the session (a1).",
  });
  const foreign = { session_address: "session/other", owner: "session/other" };
  expect(await judged({}, { grants: [foreign] })).toMatchObject({ verdict: "ask", granted: [] });
});

it.each(["step", "run", "task", "session"] as const)(
  "G05: lets it run under a grant for its own %s, and not for another one",
  async (scope) => {
    const own = { scope, owner: grantOwners(call)[scope] };
    expect(await judged({}, { grants: [own] })).toMatchObject({
      verdict: "run",
      reason: expect.stringContaining(`for the ${scope} (a1)`),
    });
    const elsewhere = { task_id: "t2", run_id: "r2", step_id: "r2.1" };
    const others = { ...grantOwners({ ...call, ...elsewhere }), session: "session/k2" };
    const other = { scope, owner: others[scope] };
    expect(await judged({}, { grants: [other] })).toMatchObject({ verdict: "ask" });
  },
);

it("finds the grant of a directory for all that is in it, and for nothing beside it", async () => {
  const grants = [{ capability: "fs.write:notes/**" }];
  const writing = (path: string) => judged({ input: { path, content: "" } }, { grants });
  expect((await writing("notes/a.md")).verdict).toBe("run");
  expect((await writing("notes/deep/er/a.md")).verdict).toBe("run");
  expect((await writing("notes2/a.md")).verdict).toBe("ask");
  expect((await writing("a.md")).verdict).toBe("ask");
});

it("G05: counts no grant from its end on", async () => {
  const grants = [{ expires_at: 1_000 }];
  expect((await judged({}, { grants }, 999)).verdict).toBe("run");
  expect((await judged({}, { grants }, 1_000)).verdict).toBe("ask");
});

it("refuses unasked what a person denied for longer, with their reason, whatever else is granted", async () => {
  const denied = { grant_id: "g2", effect: "deny", scope: "run" } as const;
  const owner = grantOwners(call).run;
  expect(await judged({}, { grants: [{}, { ...denied, owner }] })).toMatchObject({
    verdict: "deny",
    reason: "Denied: a person denied this for the run (a1): not in this folder",
    granted: [],
  });
  const other = { path: "b.txt", content: "hi" };
  const beside = await judged({ input: other }, { grants: [{ ...denied, owner }] });
  expect(beside.verdict).toBe("ask");
});

it("G05: refuses whatever is left of a run that has ended, though its grant is there", async () => {
  const run = { ...openRun, state: "done" } as const;
  expect(await judged({}, { grants: [{}], run })).toMatchObject({
    verdict: "deny",
    reason: "Denied: the run has ended.",
  });
});

it("G06: hands no person's word up or down between a run and a session below it", async () => {
  const child = "session/k/run/r1/session/sub";
  const ofParent = await judged({ session_address: child }, { grants: [{}] });
  expect(ofParent).toMatchObject({ verdict: "ask", granted: [] });
  const ofChild = { session_address: child, owner: child };
  expect(await judged({}, { grants: [ofChild] })).toMatchObject({ verdict: "ask", granted: [] });
});

it("says which boundary a call is outside of", async () => {
  const task = { ...openTask, boundary: ["fs.write:notes/**"] };
  expect(await judged({}, { grants: [{}], task })).toMatchObject({
    verdict: "deny",
    reason: "Denied: fs.write:a.txt is outside the task's boundary.",
  });
  expect(await judged({ tool: "file_read", input: { path: "a.txt" } }, { task })).toMatchObject({
    verdict: "deny",
    reason: "Denied: fs.read:a.txt is outside the task's boundary.",
  });
  expect((await judged({ input: { path: "notes/a", content: "" } }, { task })).verdict).toBe("ask");
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
    "Denied: the agent's tool list does not have file_list.",
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

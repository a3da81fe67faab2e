import { expect, it } from "vitest";
import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { createScriptedSandbox } from "../../src/adapters/sandbox/scripted-sandbox.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { chainFault } from "../../src/policy/audit-chain.ts";
import { canonicalJson, hashOf } from "../../src/policy/canonical-json.ts";
import type { AuditRow } from "../../src/schema/rows/audit-rows.ts";
import { AgentError } from "../../src/schema/errors.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { createToolRegistry } from "../../src/tools/registry.ts";
import type { Tool } from "../../src/tools/tool.ts";
import {
  answer,
  audit,
  decide,
  messages,
  pendingApproval,
  reached,
  runs,
  tell,
} from "../actors/hive-watch.ts";
import { createTestHive, type TestHive } from "../support/hive.ts";

/** A play in which calls end in every way that they can, beside a book of what the tools really did. */

type Execution = {
  readonly run: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly at: number;
};

function theatre() {
  const clock = createSimulatedClock(1_000_000);
  const executed: Execution[] = [];
  const files = createMemoryFiles({ "in.txt": "in" });
  const sandbox = createScriptedSandbox(() => ({ output: "ran" }));
  let store = createMemoryStore({ tables: allTables, strict: true });
  /** Paths whose calls never come back. */
  const stuck = new Set<string>();

  const recorded = (tool: Tool): Tool => ({
    ...tool,
    run: async (input, context) => {
      const run = context.callName.split("-")[0] as string;
      executed.push({ run, tool: tool.name, input, at: clock.now() });
      clock.advance(250);
      if (stuck.has(input["path"] as string)) {
        await new Promise((_, reject) => {
          context.signal.addEventListener("abort", () =>
            reject(new AgentError("activity.aborted", "stopped")),
          );
        });
      }
      if (input["path"] === "fault.txt") throw new Error("a fault of the tool's author");
      return tool.run(input, context);
    },
  });
  const tools = createToolRegistry(builtInTools.map(recorded));
  const open = () => createTestHive({ clock, store, files, sandbox, tools });
  return {
    executed,
    stuck,
    open,
    async killed(): Promise<TestHive> {
      store = store.crash();
      const hive = await open();
      await hive.engine.settled();
      return hive;
    },
  };
}

const call = (tool: string, input: JsonObject) => `call ${tool} ${JSON.stringify(input)}`;
const writeOf = (path: string, content = path) => call("file_write", { path, content });

async function saidTo(hive: TestHive, ...calls: readonly string[]): Promise<void> {
  await hive.say(calls.join("\n"));
  await hive.engine.settled();
}

async function decided(hive: TestHive, decision: Parameters<typeof decide>[1] = {}) {
  await decide(hive, decision);
  await hive.engine.settled();
}

/** Says yes to a write that never comes back, and returns once it runs. */
async function stuckIn(hive: TestHive, path: string): Promise<void> {
  await saidTo(hive, writeOf(path));
  const executing = reached(hive, "tool_call", "executing");
  await decide(hive);
  await executing;
}

it("L07: each executed effect has exactly one row, whatever became of the call", async () => {
  const { executed, stuck, open, killed } = theatre();
  for (const path of ["lost.txt", "skipped.txt", "stopped.txt"]) stuck.add(path);
  let hive = await open();

  await saidTo(hive, call("file_read", { path: "in.txt" }), call("file_list", { path: "." }));
  await saidTo(hive, call("file_read", { path: ".env" }), call("file_read", { pat: "in.txt" }));
  await saidTo(hive, call("no_such_tool", { path: "in.txt" }), writeOf("../out.txt"));
  await saidTo(hive, call("file_read", { path: "missing.txt" }));

  await saidTo(hive, writeOf("once.txt"));
  await decided(hive);
  await saidTo(hive, writeOf("denied.txt"));
  await decided(hive, { decision: "deny", reason: "Not there." });
  await saidTo(hive, writeOf("late.txt"));
  hive.clock.advance(86_400_000);
  await hive.engine.settled();
  await saidTo(hive, writeOf("session.txt"));
  await decided(hive, { scope: "session" });
  await saidTo(hive, writeOf("session.txt", "one"), writeOf("session.txt", "two"));
  await saidTo(hive, call("shell_exec", { command: "ls -l" }));
  await decided(hive);
  await saidTo(hive, writeOf("fault.txt"));
  await decided(hive);
  await saidTo(hive, call("ask_user", { question: "Tea or coffee?" }));
  await answer(hive, "tea");
  await hive.engine.settled();

  await saidTo(hive, writeOf("cancelled.txt"));
  await tell(hive, "run", "run.cancel");
  await hive.engine.settled();
  await stuckIn(hive, "stopped.txt");
  await tell(hive, "run", "run.cancel");
  await hive.engine.settled();

  await saidTo(hive, writeOf("kept.txt"));
  hive = await killed();
  await decided(hive);

  await stuckIn(hive, "lost.txt");
  hive = await killed();
  stuck.delete("lost.txt");
  await answer(hive, "retry");
  await hive.engine.settled();
  await stuckIn(hive, "skipped.txt");
  hive = await killed();
  await answer(hive, "skip");
  await hive.engine.settled();
  await expect(pendingApproval(hive)).rejects.toThrow("no approval is pending");

  const rows = await audit(hive);
  const invocations = rows.filter(({ kind }) => kind === "invocation");
  const named = (run: string, tool: string, input: unknown) =>
    `${run} ${tool} ${canonicalJson(input as JsonObject)}`;
  expect(invocations.map((row) => named(row.run_id, row.tool, row.input)).toSorted()).toEqual(
    executed.map(({ run, tool, input }) => named(run, tool, input)).toSorted(),
  );
  expect(new Set(invocations.map(({ status }) => status))).toEqual(
    new Set(["done", "failed", "cancelled", "outcome_unknown"]),
  );
  for (const row of invocations) await expectComplete(hive, row, executed);
  expect(rows.map((row, index) => chainFault(row, rows[index - 1])).filter(Boolean)).toEqual([]);
});

/** Who wanted it, what was asked for and given, who allowed it, when, and what came of it. */
async function expectComplete(hive: TestHive, row: AuditRow, executed: readonly Execution[]) {
  const run = (await runs(hive)).find(({ run_id }) => run_id === row.run_id);
  const isOf = (execution: Execution) =>
    execution.run === row.run_id && hashOf(execution.input) === row.input_hash;
  expect(row).toMatchObject({
    trace_id: run?.trace_id,
    task_id: run?.task_id,
    step_id: expect.stringMatching(new RegExp(`^${row.run_id}\\.\\d+$`)),
    session: run?.session_id,
    agent: "main",
    granted_capabilities: row.requested_capabilities,
  });
  expect(row.requested_capabilities).toHaveLength(1);
  const during = ({ at }: Execution) => row.start_at <= at && at < row.end_at;
  expect(executed.filter(isOf).filter(during)).toHaveLength(1);
  const isAsked = row.tool !== "file_read" && row.tool !== "file_list";
  const isGranted = row.decided_by === "policy";
  expect([row.tool, row.approval_required]).toEqual([row.tool, isAsked && !isGranted ? 1 : 0]);
  const errors = (await messages(hive))
    .filter(({ run_id }) => run_id === row.run_id)
    .flatMap(({ content }) => content)
    .flatMap((block) => (block.type === "tool_result" ? [block] : []))
    .filter(({ tool_call_id }) => tool_call_id === row.tool_call_id)
    .map(({ is_error, output }) => (is_error ? output : null));
  expect(errors).toHaveLength(1);
  const wasRepeated = row.status === "outcome_unknown" && row.error === null;
  expect(row.error).toBe(wasRepeated ? null : errors[0]);
}

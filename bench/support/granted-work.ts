import { z } from "zod";
import type { JudgedCall } from "../../src/actors/judge-call.ts";
import type { RowStore } from "../../src/ports/store.ts";
import { noTrust } from "../../src/schema/contexts/trust.ts";
import { noUsage } from "../../src/schema/llm.ts";
import { type Grant, grantTable } from "../../src/schema/rows/permission-rows.ts";
import { type Run, runTable, type Task, taskTable } from "../../src/schema/rows/run-rows.ts";
import { defineTool } from "../../src/tools/tool.ts";

/** A guarded tool, and a session in which a person has granted it many paths. */

export const noteDefinition = defineTool({
  name: "write_note",
  risk: "guarded",
  description: {
    what: "Keeps a note.",
    usage: "Give the path of the note.",
    examples: [{ input: { path: "notes/today.md" }, means: "the note of today" }],
    notFor: "Not for letters.",
  },
  input: { path: z.string() },
  recovery: "repeat",
  capabilities: ({ path }) => [`fs.write:${path}`],
  summary: ({ path }) => `Keep the note ${path}`,
  run: async () => "kept",
});

const session = "session/local:local:cli:bench:main";
const run: Run = {
  run_id: "r1",
  seq: 1,
  address: `${session}/run/r1`,
  session_id: "s1",
  agent_id: "main",
  task_id: "t1",
  trace_id: "trace1",
  state: null,
  started_at: 1,
  ended_at: null,
  usage: noUsage,
  reply: null,
  error: null,
  config_hash: "h1",
  trust: null,
  forgotten_at: null,
};

const task: Task = {
  task_id: run.task_id,
  session_id: run.session_id,
  agent_id: run.agent_id,
  trace_id: run.trace_id,
  text: "keep my notes",
  boundary: ["fs.write:**"],
  state: "open",
  created_at: 1,
  ended_at: null,
};

const noteOf = (number: number) => `notes/of/many/note-${number}.md`;

function grantOf(number: number): Grant {
  return {
    grant_id: `g${number}`,
    session_address: session,
    owner: session,
    scope: "session",
    effect: "allow",
    tool: noteDefinition.name,
    capability: `fs.write:${noteOf(number)}`,
    pin: null,
    terms: "",
    accepted: [],
    approval_id: `ap${number}`,
    given_by: "bench",
    given_at: number,
    expires_at: null,
  };
}

/** Narrow ones, as people give them. */
export const grantsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => grantOf(at + 1));

/** Grants, and the run for which calls are judged. */
export async function giveGrants(store: RowStore, grants: readonly Grant[]): Promise<void> {
  store.begin();
  store.put(taskTable, task);
  store.put(runTable, run);
  for (const grant of grants) store.put(grantTable, grant);
  await store.commit();
}

/** Each about another note, as calls are. */
export function callFor(number: number): JudgedCall {
  return {
    agent_id: "main",
    session_address: session,
    task_id: run.task_id,
    run_id: run.run_id,
    step_id: "r1.1",
    call_id: `c${number}`,
    tool: noteDefinition.name,
    input: { path: noteOf(number) },
    trust: noTrust,
  };
}

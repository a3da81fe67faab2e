import { expect, it } from "vitest";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { createScriptedSandbox } from "../../src/adapters/sandbox/scripted-sandbox.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import { approvalTable, grantTable } from "../../src/schema/rows/permission-rows.ts";
import { approvals, decide } from "../actors/hive-watch.ts";
import { agentWith, fixedAgents } from "../actors/test-agents.ts";
import { createTestHive, type TestHive } from "../support/hive.ts";

/** A day's work in one session, with a person who answers each question "for the session": how often they are asked, and that
 *  no more was allowed by it than they were shown. */

type Call = readonly [tool: string, input: JsonObject];

const shell = (command: string, cwd?: string): Call => [
  "shell_exec",
  cwd === undefined ? { command } : { command, cwd },
];

const scripts = Array.from({ length: 12 }, (_, index) => `scripts/s${index + 1}.py`);

const contents: Readonly<Record<string, string>> = {
  ...Object.fromEntries(scripts.map((path) => [path, `print("${path}")`])),
  "scripts/unseen.py": "print(0)",
  "sub/scripts/s1.py": 'print("scripts/s1.py")',
  "package.json": '{"scripts":{"test":"node --test"}}',
  "notes.txt": "buy milk",
};

/** 45 calls of one interpreter: each of the twelve scripts three or four times, with other arguments. */
const ofTheInterpreter = Array.from({ length: 45 }, (_, index) =>
  shell(`python3 ${scripts[(index * 5) % 12]} --round ${index} 'of the day'`),
);

const otherCalls: readonly Call[] = [
  ["file_list", {}],
  ["file_read", { path: "notes.txt" }],
  shell("git status"),
  ["file_read", { path: "package.json" }],
  shell("ls -la scripts"),
  ["file_read", { path: "scripts/s1.py" }],
  ["file_search", { pattern: "print" }],
  shell("npm test"),
  ["file_read", { path: "scripts/s2.py" }],
  shell("git status --short"),
  ["file_list", { path: "scripts" }],
  ["file_read", { path: "scripts/s3.py" }],
  shell("npm test"),
  shell("git status --short scripts"),
  ["file_read", { path: "notes.txt" }],
  shell("ls -la scripts"),
  ["file_list", { path: "sub" }],
  ["file_read", { path: "scripts/s4.py" }],
];

const trace: readonly Call[] = [...ofTheInterpreter, ...otherCalls].toSorted(
  (one, other) => orderOf(one) - orderOf(other),
);

/** The others stand between the interpreter's calls. */
function orderOf(call: Call): number {
  const at = otherCalls.indexOf(call);
  return at < 0 ? ofTheInterpreter.indexOf(call) : at * 2.5 + 0.1;
}

const broader: readonly Call[] = [
  shell("python3 scripts/unseen.py"),
  shell("python3 -c 'print(1)'"),
  shell("python3"),
  shell("python3 -u scripts/s1.py"),
  shell("python3 scripts/s1.py > notes.txt"),
  shell("python3 scripts/s1.py | sh"),
  shell("A=1 python3 scripts/s1.py"),
  shell("timeout 5 python3 scripts/s1.py"),
  shell("env python3 scripts/s1.py"),
  shell("wrapit python3 scripts/s1.py"),
  shell("/usr/local/bin/python3 scripts/s1.py"),
  shell("python3 s1.py", "scripts"),
  shell("python3 scripts/s1.py", "sub"),
  shell("git push"),
  shell("git status; id"),
  shell("npm test -- --update"),
  shell("npm run build"),
  shell("ls -la"),
  shell("cat notes.txt"),
];

async function workday() {
  const files = new Map(Object.entries(contents));
  const sandbox = createScriptedSandbox(() => ({ output: "ok\n" }), { files });
  const agent = agentWith({
    sandbox,
    files: createMemoryFiles(contents),
    policy: {
      allow: ["file_read", "file_list", "file_search", "shell_exec"],
      boundary: ["fs.read:**", "shell.exec:*"],
      grant: ["fs.read:**"],
      deny: [],
      risk: { shell_exec: "guarded" },
    },
  });
  const hive = await createTestHive({ agents: fixedAgents(agent) });
  return { files, sandbox, hive };
}

/** @returns whether a person was asked, who then decided so */
async function make(
  hive: TestHive,
  [tool, input]: Call,
  decision: Parameters<typeof decide>[1],
): Promise<boolean> {
  await hive.say(`call ${tool} ${JSON.stringify(input)}`);
  await hive.engine.settled();
  const open = await hive.engine.read.select(approvalTable, {
    index: "by_state",
    equals: ["pending"],
  });
  if (open.length > 0) await decide(hive, decision);
  await hive.engine.settled();
  return open.length > 0;
}

it("asks 15 questions over 63 calls, and then runs nothing that was not shown", async () => {
  const { files, sandbox, hive } = await workday();
  expect([trace.length, ofTheInterpreter.length]).toEqual([63, 45]);
  for (const call of trace) await make(hive, call, { scope: "session" });

  const asked = await approvals(hive);
  expect(asked.length).toBe(15);
  expect(sandbox.begun.length).toBe(52);
  const shown = asked.map(({ proposed_grants, terms }) => `${proposed_grants.join()}, ${terms}`);
  const grants = await hive.engine.read.select(grantTable, { index: "by_given" });
  expect(new Set(grants.map(({ capability, terms }) => `${capability}, ${terms}`))).toEqual(
    new Set(shown),
  );
  expect(grants.every(({ pin }) => pin !== null)).toBe(true);
  expect(shown).toContain(
    "shell.exec:python3 scripts/s1.py, with any further arguments, run in the workspace, while scripts/s1.py stays as it is",
  );
  expect(shown).toContain("shell.exec:ls, exactly this command, run in the workspace");

  const begun = sandbox.begun.length;
  for (const call of broader)
    expect([call, await make(hive, call, { decision: "deny" })]).toEqual([call, true]);
  files.set("scripts/s1.py", "import os");
  expect(await make(hive, shell("python3 scripts/s1.py"), { decision: "deny" })).toBe(true);
  expect((await approvals(hive)).at(-1)?.reason).toBe(
    "Guarded; scripts/s1.py has changed since it was allowed; asks.",
  );
  expect(await make(hive, shell("python3 scripts/s2.py"), { decision: "deny" })).toBe(false);
  expect(sandbox.begun.length).toBe(begun + 1);
});

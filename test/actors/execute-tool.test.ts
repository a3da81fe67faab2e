import { expect, it } from "vitest";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { createScriptedSandbox } from "../../src/adapters/sandbox/scripted-sandbox.ts";
import { createTestHive } from "../support/hive.ts";
import { approvals, decide, pendingApproval, results } from "./hive-watch.ts";

/** What an execution is given to work with. */

it("searches no file that a deny rule or the boundary of the agent covers", async () => {
  const files = createMemoryFiles({ ".env": "milk", "src/.env": "milk", "a.txt": "milk" });
  const hive = await createTestHive({ files });
  await hive.say('call file_search {"pattern":"milk"}');
  await hive.engine.settled();
  expect(await results(hive)).toEqual([
    "a.txt:1: milk\n\n[1 line in 1 file, 1 file searched; 2 files that you may not read skipped]",
  ]);
});

it("keeps the long outputs of two calls apart", async () => {
  const files = createMemoryFiles();
  let run = 0;
  const sandbox = createScriptedSandbox(() => ({ output: `${(run += 1)}\n`.repeat(20_000) }));
  const hive = await createTestHive({ files, sandbox });
  await hive.say('call shell_exec {"command":"ls"}\nthen\ncall shell_exec {"command":"ls -a"}');
  for (let call = 0; call < 2; call += 1) {
    await hive.engine.settled();
    expect(await pendingApproval(hive)).toMatchObject({ requested: ["shell.exec:ls"] });
    await decide(hive);
  }
  await hive.engine.settled();
  const { entries } = await files.list(".statehive/output", { depth: 1, maxEntries: 9 });
  expect(entries.map(({ size }) => size)).toEqual([40_000, 40_000]);
  for (const { path } of entries)
    expect(path).toMatch(/^\.statehive\/output\/[A-Za-z0-9_-]+\.txt$/);
});

it("tells the model what is missing where commands cannot be run, and asks nobody", async () => {
  const hive = await createTestHive();
  await hive.say('call shell_exec {"command":"ls"}');
  await hive.engine.settled();
  expect(await approvals(hive)).toEqual([]);
  expect(await results(hive)).toEqual([
    "tool.failed: Commands cannot be run here: There is none here.",
  ]);
});

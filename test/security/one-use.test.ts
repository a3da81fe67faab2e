import { expect, it } from "vitest";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { grantTable } from "../../src/schema/rows/permission-rows.ts";
import { approvals, audit, decide, results } from "../actors/hive-watch.ts";
import { createTestHive } from "../support/hive.ts";

/** What a person allows once is one call, however many like it wait beside it. */

const write = 'call file_write {"path":"a.txt","content":"hi"}';

async function twoAlike() {
  const written: string[] = [];
  const files = createMemoryFiles();
  const counted: typeof files = {
    ...files,
    write: async (path, content) => {
      written.push(path);
      return files.write(path, content);
    },
  };
  const hive = await createTestHive({ files: counted });
  await hive.say(`${write}\n${write}`);
  await hive.engine.settled();
  return { hive, written };
}

it("G07: a yes to one of two calls that are alike lets one of them run", async () => {
  const { hive, written } = await twoAlike();
  await decide(hive);
  await hive.engine.settled();
  expect(written).toEqual(["a.txt"]);
  expect((await approvals(hive)).map(({ state }) => state).toSorted()).toEqual([
    "approved",
    "pending",
  ]);
  expect(await hive.engine.read.select(grantTable, { index: "key" })).toEqual([]);

  await decide(hive, { decision: "deny" });
  await hive.engine.settled();
  expect(written).toEqual(["a.txt"]);
  expect((await results(hive)).toSorted()).toEqual([
    "Created a.txt (2 bytes).",
    "permission.denied: A person did not allow this file_write call.",
  ]);
});

it("G07: two yeses to one question at the same time let its call run once, and the other call not", async () => {
  const { hive, written } = await twoAlike();
  const [first] = await approvals(hive);
  const yes = { type: "approval.decide", decision: "approve", scope: "once", by: "ann" };
  const send = () => hive.engine.send(first?.address ?? "", yes, { origin: "cli" });
  const outcomes = (await Promise.all([send(), send()])).map(({ outcome }) => outcome);
  await hive.engine.settled();
  expect(outcomes.toSorted()).toEqual(["handled", "rejected"]);
  expect(written).toEqual(["a.txt"]);
  const invocations = (await audit(hive)).filter(({ kind }) => kind === "invocation");
  expect(invocations).toHaveLength(1);
});

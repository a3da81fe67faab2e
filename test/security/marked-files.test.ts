import { expect, it } from "vitest";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { createScriptedSandbox } from "../../src/adapters/sandbox/scripted-sandbox.ts";
import { AgentError } from "../../src/schema/errors.ts";
import { auditTable } from "../../src/schema/rows/audit-rows.ts";
import { fileOriginTable } from "../../src/schema/rows/file-origin-rows.ts";
import { decide, pendingApproval } from "../actors/hive-watch.ts";
import { place, type TestHive } from "../support/hive.ts";
import { foreignWorld, toNotes, toOther, toPage, type World } from "./foreign-world.ts";

/** Foreign text that went through a file is foreign still. */

const write = (path: string) => `CALL file_write {"path":"${path}","content":"x"}`;
const read = (path: string) => `CALL file_read {"path":"${path}"}`;
const quietRoot = { children: [], max_restarts: 3, within_ms: 10_000, backoff_ms: 200 };
const elsewhere = place.replace("cli", "tui");

const marks = async ({ engine }: TestHive) =>
  (await engine.read.select(fileOriginTable, { index: "key" })).map(({ path, origins }) => ({
    path,
    origins,
  }));

const ofPage = ["web:page.example"];

/** In another session, where nothing was read yet. */
async function tellElsewhere({ hive }: World, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await hive.say(text, elsewhere);
    await hive.engine.settled();
  }
}

it("taints whoever reads a file that a tainted run wrote, by any way of its path", async () => {
  const its = await foreignWorld("Tea.");
  await its.tell(toPage, write("./notes/../from page.md"));
  expect(await marks(its.hive)).toEqual([{ path: "from page.md", origins: ofPage }]);
  await tellElsewhere(its, read("x/../from page.md"), toOther);
  expect((await pendingApproval(its.hive)).reason).toBe(
    "The run has read file:x/../from page.md and holds text of web:page.example, which could make it send that on.",
  );
});

it.each([
  ["searches its directory", 'CALL file_search {"pattern":"x","path":"in"}', true],
  ["lists its directory", 'CALL file_list {"path":"in"}', true],
  ["changes it", 'CALL file_edit {"path":"in/a.md","old_text":"x","new_text":"y"}', true],
  ["searches the workspace", 'CALL file_search {"pattern":"x"}', true],
  ["searches another directory", 'CALL file_search {"pattern":"x","path":"notes.md"}', false],
  ["reads a file beside it", read("notes.md"), false],
])("a session that %s is tainted or not, as it should be", async (_, order, isTainted) => {
  const its = await foreignWorld("Tea.");
  await its.tell(toPage, write("in/a.md"));
  await tellElsewhere(its, order);
  expect((await its.tags("session")).includes("tainted")).toBe(isTainted);
});

it("takes the mark away with a whole new content from a session that is not tainted, and only then", async () => {
  const its = await foreignWorld("Tea.");
  await its.tell(toPage, write("a.md"));
  await its.tell(write("a.md"));
  expect(await marks(its.hive)).toEqual([{ path: "a.md", origins: ofPage }]);
  await tellElsewhere(its, write("a.md"));
  expect(await marks(its.hive)).toEqual([]);
});

it("keeps the mark of a file that could not be replaced", async () => {
  const files = createMemoryFiles();
  let isFull = false;
  const refusing: typeof files.write = async (path, content) => {
    if (isFull) throw new AgentError("file.refused", "The disk is full.");
    return files.write(path, content);
  };
  const its = await foreignWorld("Tea.", { files: { ...files, write: refusing } });
  await its.tell(toPage, write("a.md"));
  isFull = true;
  await tellElsewhere(its, write("a.md"));
  expect(await marks(its.hive)).toEqual([{ path: "a.md", origins: ofPage }]);
});

it("marks the workspace as a whole for a command of a tainted run, and no other", async () => {
  const sandbox = createScriptedSandbox(() => ({ output: "x" }));
  const its = await foreignWorld("Tea.", { sandbox });
  const run = 'CALL shell_exec {"command":"make"}';
  await its.tell(run);
  await decide(its.hive);
  await its.hive.engine.settled();
  expect(await marks(its.hive)).toEqual([]);
  await its.tell(toPage, run);
  await decide(its.hive);
  await its.hive.engine.settled();
  expect(await marks(its.hive)).toEqual([{ path: ".", origins: ofPage }]);
  await tellElsewhere(its, toNotes);
  expect(await its.tags("session")).toContain("tainted");
});

it("takes what a command without walls says for foreign text", async () => {
  const sandbox = createScriptedSandbox(() => ({ output: "x" }), { isConfined: false });
  const its = await foreignWorld("Tea.", { sandbox });
  await its.tell('CALL shell_exec {"command":"curl x.org"}');
  await decide(its.hive);
  await its.hive.engine.settled();
  await its.tell(toOther);
  expect((await pendingApproval(its.hive)).reason).toContain("holds text of tool:shell_exec");
});

it("marks a long page that is kept in a file, and nothing for one that is shown whole", async () => {
  const its = await foreignWorld("Tea. ".repeat(10_000));
  await its.tell(toOther, toPage);
  const [mark, ...others] = await marks(its.hive);
  expect(mark?.path).toMatch(/^\.statehive\/output\/r\d+-c\d+-0\.txt$/);
  expect(mark?.origins).toEqual(ofPage);
  expect(others).toEqual([]);
});

it("trusts a file again once a person says so, from then on and with a row in the audit", async () => {
  const its = await foreignWorld("Tea.");
  await its.tell(toPage, write("a.md"));
  const mark = { workspace: "/workspace/main", path: "a.md", origins: ofPage };
  const clear = { type: "mark.clear", ...mark, by: "cli" };
  await its.hive.engine.create("system", { machine: "system", input: quietRoot });
  await its.hive.engine.send("system", clear, { origin: "cli" });
  expect(await marks(its.hive)).toEqual([]);
  await tellElsewhere(its, read("a.md"));
  expect(await its.tags("session")).toEqual([]);
  const rows = await its.hive.engine.read.select(auditTable, { index: "key" });
  expect(rows.filter(({ status }) => status === "cleared")).toMatchObject([
    { decided_by: "cli", reason: "cli says that a.md holds no text of web:page.example." },
  ]);
});

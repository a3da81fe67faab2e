import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import { journalTable } from "../../src/engine/tables.ts";
import { chainFault } from "../../src/policy/audit-chain.ts";
import type { Files } from "../../src/ports/files.ts";
import type { RowStore } from "../../src/ports/store.ts";
import { AgentError } from "../../src/schema/errors.ts";
import { auditTable } from "../../src/schema/rows/audit-rows.ts";
import { type Approval, approvalTable } from "../../src/schema/rows/permission-rows.ts";
import { type Run, runTable } from "../../src/schema/rows/run-rows.ts";
import { messageTable } from "../../src/schema/rows/session-rows.ts";
import { createTestHive, place, type TestHive } from "./hive.ts";

/** One scenario over the real machines, played on until it is over, however often the engine dies. */

export type Play = {
  readonly disk: { open(): Promise<RowStore>; crash(): Promise<void> };
  readonly files: Files;
  readonly faultPoint: (label: string) => void;
};

export type Played = {
  readonly points: number;
  readonly crashes: number;
  readonly runs: readonly (string | null)[];
  readonly messagesTaken: number;
  readonly runsFinished: number;
  readonly pairs: string;
  readonly openApprovals: number;
  readonly auditFault: unknown;
};

const first =
  'call file_read {"path":"in.txt"}\ncall file_write {"path":"out.txt","content":"output"}';
const second = 'call ask_user {"question":"Which colour?"}';

export async function play({ disk, files, faultPoint }: Play): Promise<Played> {
  const clock = createSimulatedClock(1_000_000);
  for (let crashes = 0; ; crashes++) {
    const store = await disk.open();
    try {
      const hive = await createTestHive({ store, clock, files, faultPoint });
      await playScenes(hive, files);
      const result = await whatHappened(hive);
      await hive.engine.close();
      return { points: 0, crashes, ...result };
    } catch (error) {
      if (!(error instanceof AgentError) || error.code !== "engine.closed") throw error;
      await disk.crash();
    }
  }
}

/** Every scene can be played again: what was done before is not done anew. */
async function playScenes(hive: TestHive, files: Files): Promise<void> {
  await alive(hive);
  await hive.say(first, place, "first");
  await alive(hive);
  for (let open = await pending(hive); open.length > 0; open = await pending(hive)) {
    for (const approval of open) await decide(hive, approval, files);
    await alive(hive);
    if ((await runs(hive)).length === 2) break;
  }
  await hive.say(second, place, "second");
  await alive(hive);
  for (const run of await runs(hive)) {
    if (run.state === null)
      await hive.engine.send(run.address, { type: "run.cancel" }, { origin: "cli" });
  }
  await alive(hive);
}

/** The simulated clock moves on, so that what waits for a deadline goes on too; a dead engine says so. */
async function alive(hive: TestHive): Promise<void> {
  await hive.engine.settled();
  await hive.engine.send("nobody", { type: "run.cancel" }, { origin: "cli" });
}

const pending = (hive: TestHive) =>
  hive.engine.read.select(approvalTable, { index: "by_state", equals: ["pending"] });
const byNumber = (a: Run, b: Run) => Number(a.run_id.slice(1)) - Number(b.run_id.slice(1));
const runs = (hive: Pick<TestHive, "engine">) =>
  hive.engine.read.select(runTable, { index: "by_started" });

async function decide(hive: TestHive, approval: Approval, files: Files): Promise<void> {
  if (approval.kind === "question") return;
  const by = "tester";
  const done = await files.stat("out.txt").then(
    () => "done",
    () => "retry",
  );
  const event =
    approval.kind === "call"
      ? { type: "approval.decide", decision: "approve", scope: "once", by }
      : { type: "approval.answer", value: done, by };
  await hive.engine.send(approval.address, event, { origin: "cli" });
}

async function whatHappened({ engine }: TestHive): Promise<Omit<Played, "points" | "crashes">> {
  const { read } = engine;
  const journal = await read.select(journalTable, { index: "key" });
  const handled = (type: string) =>
    journal.filter((row) => row.event_type === type && row.outcome === "handled").length;
  const messages = await read.select(messageTable, { index: "key" });
  const blocks = messages.flatMap((message) => message.content);
  const calls = blocks.filter((block) => block.type === "tool_use").map((block) => block.id);
  const results = blocks
    .filter((block) => block.type === "tool_result")
    .map((block) => block.tool_call_id);
  const audit = await read.select(auditTable, { index: "key" });
  const paired = JSON.stringify(calls.toSorted()) === JSON.stringify(results.toSorted());
  return {
    runs: (await runs({ engine })).toSorted(byNumber).map((run) => run.state),
    messagesTaken: handled("message.received"),
    runsFinished: handled("run.finished"),
    pairs: paired ? "every call has one result" : `calls ${calls.join()} results ${results.join()}`,
    openApprovals: (await read.select(approvalTable, { index: "by_state", equals: ["pending"] }))
      .length,
    auditFault: audit
      .map((row, index) => chainFault(row, audit[index - 1]))
      .find((fault) => fault !== undefined),
  };
}

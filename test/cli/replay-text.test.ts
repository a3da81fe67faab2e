import { expect, it } from "vitest";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { momentText } from "../../src/cli/output/moment-text.ts";
import { replayText } from "../../src/cli/output/replay-text.ts";
import { plainStyle } from "../../src/cli/output/style.ts";
import { journalTable } from "../../src/engine/tables.ts";
import type { ShownMemoryHit } from "../../src/schema/shown/shown-memory.ts";
import { approvalTable } from "../../src/schema/rows/permission-rows.ts";
import { createTestHive } from "../support/hive.ts";
import { journalViews } from "../support/replays.ts";

const looks = { width: 80, style: plainStyle };

const remembered = (text: string): ShownMemoryHit => ({
  score: 0.5,
  kind: "memory",
  path: `shared/concepts/${text}`,
  line_start: 3,
  line_end: 4,
  text,
  agent: null,
  heading: "",
  origins: [text],
});

/** A run that is asked about a file, waits a minute and a half, may write it, and answers. */
async function allowedRun(content = "x") {
  const hive = await createTestHive({ files: createMemoryFiles() });
  await hive.say(`call file_write ${JSON.stringify({ path: "out.txt", content })}`);
  await hive.engine.settled();
  hive.clock.advance(90_250);
  const [approval] = await hive.engine.read.select(approvalTable, { index: "key" });
  const word = { type: "approval.decide", decision: "approve", scope: "once", by: "ann" };
  await hive.engine.send(approval?.address ?? "", word, { origin: "cli" });
  await hive.engine.settled();
  return { hive, views: journalViews(hive.engine.read) };
}

it("walks through a run, step by step, and says at the end whether all of it is the same", async () => {
  const { views } = await allowedRun();
  expect(replayText(await views.page("r2"), undefined)).toMatchInlineSnapshot(`
    "run r2 of main in s1, began 1970-01-01 00:16:40, is done
    TIME      STEP  ACTOR  EVENT             STATE                               WITH
    +0.000s   3     r2     actor.created     -> idle                             message user: call file_write {"path":"out.txt","content":"x"}
    +0.000s   4     r2     slot.granted      idle -> thinking                    -
    +0.000s   5     r2     callModel done    thinking -> awaiting_tool           answer offline/rules: file_write {"path":"out.txt","content":"x"}
    +0.000s   6     c5-0   actor.created     -> checking                         call file_write: {"path":"out.txt","content":"x"}
    +0.000s   7     c5-0   verdict.given     checking -> awaiting_approval       verdict ask: Guarded; no grant covers fs.write:out.txt; asks.
    +0.000s   8     a7     actor.created     -> pending                          -
    +0.000s   9     r2     call.changed      awaiting_tool -> awaiting_approval  -
    +90.250s  10    a7     approval.decide   pending -> approved                 decision ann: approve for once
    +90.250s  11    c5-0   approval.decided  awaiting_approval -> executing      decision ann: approved
    +90.250s  12    r2     call.changed      awaiting_approval -> awaiting_tool  -
    +90.250s  13    c5-0   executeTool done  executing -> done                   result file_write: Created out.txt (1 byte).
    +90.250s  14    r2     call.changed      awaiting_tool -> thinking           -
    +90.250s  15    r2     callModel done    thinking -> done                    answer offline/rules: I wrote out.txt. The tool says: Created out.txt (1 byte).

    replayed: 13 of 13 transitions the same"
  `);
});

it("shows the run at a step", async () => {
  const { views } = await allowedRun();
  const text = momentText(await views.moment("r2", 9), { ...looks, width: undefined });
  const context = / {2}\| \{\n[^]*? {2}\| \}\n/;
  expect(context.exec(text)?.[0]).toContain('|   "run_id": "r2",');
  expect(text.replace(context, "  | …\n")).toMatchInlineSnapshot(`
    "run r2 at 9
      at        1970-01-01 00:16:40
      actor     session/local:local:cli:tester:main/run/r2
      event     call.changed, from actor
      state     awaiting_tool -> awaiting_approval
      replayed  same

    with it came
      call_id: offline_1
      state: awaiting_approval

    ACTOR  KIND       STATE              STATUS  STEP
    r2     run        awaiting_approval  active  9
    c5-0   tool_call  awaiting_approval  active  7
    a7     approval   pending            active  8

    r2 knew
      | …

    said until then
    1970-01-01 00:16:40  user  r2
      | call file_write {"path":"out.txt","content":"x"}
    1970-01-01 00:16:40  assistant  r2
      calls file_write {"path":"out.txt","content":"x"}"
  `);
});

it("names what is different, what is unknown and why, and that there is more", async () => {
  const { hive, views } = await allowedRun();
  hive.store.begin();
  hive.store.patch(journalTable, [7], { state_after: "executing" });
  hive.store.remove(journalTable, 8);
  await hive.store.commit();
  const text = replayText(await views.page("r2", 0, 8), undefined);
  expect(text.split("\n").slice(-5)).toEqual([
    "different at 7, state: expected awaiting_approval, found executing",
    "unknown from 10: its beginning is not in the journal any more",
    "unknown from 11: it went another way at 7",
    "replayed: 5 of 8 transitions the same, 1 different, 2 unknown",
    "r2 has more steps: --limit shows more of them",
  ]);
});

it("names what the run was reminded of, and has its text at a step", async () => {
  const { views } = await allowedRun();
  const recalled = [remembered("The box office is Joan's.")];
  const walk = replayText({ ...(await views.page("r2")), recalled }, undefined);
  expect(walk.split("\n")[1]).toBe("recalled shared/concepts/The box office is Joan's.:3-4");
  const moment = momentText({ ...(await views.moment("r2", 9)), recalled }, looks);
  expect(moment).toContain(
    "\n\nrecalled\n0.50  shared/concepts/The box office is Joan's.:3-4  from The box office is Joan's.\n  | The box office is Joan's.\n",
  );
});

it("lets nothing through that would draw or hide", async () => {
  const hostile = "\u001b[2J\u202e\u0007\nreplayed: 99 of 99 transitions the same";
  const { views } = await allowedRun(hostile);
  const page = { ...(await views.page("r2")), recalled: [remembered(hostile)] };
  const moments = await Promise.all(page.frames.map(({ seq }) => views.moment("r2", seq)));
  const texts = [
    replayText(page, 80),
    ...moments.map((moment) => momentText({ ...moment, recalled: page.recalled }, looks)),
  ];
  for (const text of texts) {
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(text).not.toMatch(/^replayed: 99/m);
  }
});

import { expect, it } from "vitest";
import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { activityTable } from "../../src/engine/tables.ts";
import { noBudget } from "../../src/schema/budget.ts";
import {
  budgetAllowanceTable,
  budgetHeldTable,
  budgetHoldTable,
} from "../../src/schema/rows/budget-rows.ts";
import { modelCallTable } from "../../src/schema/rows/model-rows.ts";
import { approvalTable } from "../../src/schema/rows/permission-rows.ts";
import { slotTable } from "../../src/schema/rows/run-rows.ts";
import { messages, runs } from "../actors/hive-watch.ts";
import { crashEverywhere } from "../support/crash-driver.ts";
import { type Disk, memoryDisk } from "../support/disks.ts";
import { createTestHive, place, type TestHive } from "../support/hive.ts";
import { meteredModel } from "../support/metered-model.ts";

/** A run that pauses at its budget before its second model call and is let go on, in a service that dies before and after every
 *  commit. */

const all = { index: "key" } as const;

async function play(disk: Disk, faultPoint: (label: string) => void) {
  const hive = await createTestHive({
    store: await disk.open(),
    clock: createSimulatedClock(1_000_000),
    faultPoint,
    provider: meteredModel(
      ({ messages: said }) =>
        said.length === 1
          ? { input_tokens: 500, output_tokens: 500, calls: [["file_list", { path: "." }]] }
          : { input_tokens: 500, output_tokens: 500 },
      true,
    ).provider,
    policy: { allow: ["file_list"] },
    agentBudget: () => ({ ...noBudget, session: { tokens: 2_400, usd: null } }),
  });
  await hive.engine.settled();
  await hive.say("look", place, "first");
  await hive.engine.settled();
  await letGoOn(hive);
  const result = await whatHappened(hive);
  await hive.engine.close();
  return result;
}

async function letGoOn({ engine }: TestHive): Promise<void> {
  const open = await engine.read.select(approvalTable, { index: "by_state", equals: ["pending"] });
  for (const { address } of open) {
    const event = { type: "approval.answer", value: "continue", by: "ann" };
    await engine.send(address, event, { origin: "cli" });
  }
  await engine.settled();
  await engine.send("nobody", { type: "run.cancel" }, { origin: "cli" });
}

async function whatHappened(hive: TestHive) {
  const { read } = hive.engine;
  const blocks = (await messages(hive)).flatMap(({ content }) => content.map(({ type }) => type));
  return {
    runs: (await runs(hive)).map(({ state }) => state),
    blocks,
    approvals: (await read.select(approvalTable, all)).map(({ state }) => state),
    allowances: (await read.select(budgetAllowanceTable, all)).length,
    answered: (await read.select(modelCallTable, all)).filter(
      ({ outcome }) => outcome === "answered",
    ).length,
    left: [
      ...(await read.select(budgetHoldTable, all)),
      ...(await read.select(budgetHeldTable, all)),
      ...(await read.select(activityTable, all)),
      ...(await read.select(slotTable, all)),
    ],
  };
}

it("loses no question, asks no more than it must, and leaves nothing held", async () => {
  const makeDisk = () => memoryDisk(allTables);
  const plays = await crashEverywhere({ makeDisk, stage: () => play });
  expect(plays.length).toBeGreaterThan(15);
  for (const { crashedAt, deaths, result } of plays) {
    const { approvals, allowances, ...rest } = result;
    expect({ crashedAt, deaths, ...rest }).toEqual({
      crashedAt,
      deaths: 1,
      runs: ["done"],
      blocks: ["text", "tool_use", "tool_result", "text"],
      answered: 2,
      left: [],
    });
    expect(new Set(approvals)).toEqual(new Set(["answered"]));
    expect(allowances).toBe(1);
  }
});

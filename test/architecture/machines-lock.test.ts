import { describe, expect, it } from "vitest";
import type { MachineFile } from "../../scripts/machines/load-machines.ts";
import { chartHash, type MachineLock, reviewLock } from "../../scripts/machines/machine-lock.ts";
import { type Change, teaOrderWith } from "./planted-machine.ts";

function lockOf({ machine }: MachineFile): MachineLock {
  return { [machine.id]: { version: machine.version ?? "", hash: chartHash(machine) } };
}

async function reviewAfter(...changes: readonly Change[]) {
  return reviewLock(lockOf(await teaOrderWith()), [await teaOrderWith(...changes)]);
}

const retarget: Change = [
  `"kettle.boiled": { target: "served" }`,
  `"kettle.boiled": { target: "failed" }`,
];
const bump: Change = [`version: "1"`, `version: "2"`];

describe("machines.lock.json", () => {
  it("accepts a chart that did not change", async () => {
    expect(await reviewAfter()).toMatchObject({ refused: [], outdated: [] });
  });

  it("refuses a chart that changed under its old version, and keeps the old entry", async () => {
    const before = lockOf(await teaOrderWith());
    const { refused, lock } = await reviewAfter(retarget);
    expect(refused).toEqual([
      "the chart of tea_order changed: bump version in test/architecture/fixtures/tea-order.machine.ts",
    ]);
    expect(lock).toEqual(before);
  });

  it("refuses a new name among the actions, guards, actors and delays of an old version", async () => {
    const { refused } = await reviewAfter([`guards: { `, `guards: { isThirsty: () => true, `]);
    expect(refused).toHaveLength(1);
  });

  it("accepts an action that is written differently under its old name", async () => {
    const { refused } = await reviewAfter([`context.cups > 0`, `context.cups >= 1`]);
    expect(refused).toEqual([]);
  });

  it("takes up a changed chart whose version was bumped", async () => {
    const { refused, outdated, lock } = await reviewAfter(retarget, bump);
    expect(refused).toEqual([]);
    expect(outdated).toEqual(["tea_order is not in the lock at version 2"]);
    expect(lock["tea_order"]?.version).toBe("2");
  });

  it("takes up a new machine and lets go of one that is gone", async () => {
    const teaOrder = await teaOrderWith();
    expect(reviewLock({}, [teaOrder]).lock).toEqual(lockOf(teaOrder));
    expect(reviewLock(lockOf(teaOrder), []).lock).toEqual({});
  });
});

import { describe, expect, it } from "vitest";
import type { AnyStateMachine } from "xstate";
import { effects, removeRow } from "../../src/machines/effect-actions.ts";
import { runMachine } from "../../src/machines/run.machine.ts";
import { slotTable } from "../../src/schema/rows.ts";
import { forgotten, self, walk, withChart } from "./kernel-walk.ts";
import { runWalk } from "./run-walk.ts";

const walked = walk(runWalk);

it("reaches every state and takes every transition", () => {
  expect(walked.unreached).toEqual([]);
  expect(walked.untaken).toEqual([]);
});

it("keeps every law on every path", () => {
  expect(walked.breaches).toEqual({});
  expect(walked.worlds).toBeGreaterThan(100);
});

describe("a planted fault breaks the law it offends:", () => {
  const broken = (machine: AnyStateMachine) => Object.keys(walk({ ...runWalk, machine }).breaches);

  it("a slot that is kept while a person is asked", () => {
    const machine = runMachine.provide({ actions: { releaseSlot: forgotten } });
    expect(broken(machine)).toContain(
      "a slot is held while the run works, and never while only people are waited for",
    );
  });

  it("a slot that nobody offers to the next", () => {
    const releaseSlot = effects(() => [removeRow(slotTable, self)]) as never;
    const machine = runMachine.provide({ actions: { releaseSlot } });
    expect(broken(machine)).toEqual(["a slot that comes free is offered to the next"]);
  });

  it("an end that nobody hears of", () => {
    const machine = runMachine.provide({ actions: { closeRun: forgotten } });
    expect(broken(machine)).toContain(
      "a run that ends closes its rows and tells its session exactly once",
    );
  });

  it("a round that is not closed", () => {
    const machine = runMachine.provide({ actions: { closeStep: forgotten } });
    expect(broken(machine)).toContain("a round is open from the first thought to the end");
  });

  it("a deadline that ends as a cancel", () => {
    const machine = runMachine.provide({ guards: { isFailureSettled: () => false } });
    expect(broken(machine)).toEqual(["a run that is to fail does not end as cancelled"]);
  });

  it("a round that ends while somebody is still asked", () => {
    const machine = runMachine.provide({ guards: { endsTheRound: () => true } });
    expect(broken(machine)).toContain("an open call is not forgotten");
  });

  it("a call that was set aside and that nobody answers for", () => {
    const machine = runMachine.provide({ actions: { settleFailedCall: forgotten } });
    expect(broken(machine)).toEqual([
      "a call that was set aside gets exactly one result from its run",
    ]);
  });

  it("a limit of rounds that nobody looks at", () => {
    const machine = runMachine.provide({ guards: { isOverToolRounds: () => false } });
    expect(broken(machine)).toContain("a run has at most as many rounds of calls as its limit");
  });

  it("a cancel that leaves its calls alone", () => {
    const machine = runMachine.provide({ actions: { cancelCalls: forgotten } });
    expect(broken(machine)).toEqual(["every open call is told to stop when the run is"]);
  });

  it("a cancel that does not wait for open calls", () => {
    const machine = withChart(runMachine, "states.awaiting_user.on", { "run.cancel": "cancelled" });
    expect(broken(machine)).toContain("no call is left behind open");
  });

  it("a deadline of the cancel that does not look at open calls", () => {
    const machine = runMachine.provide({ guards: { hasNoOpenCalls: () => true } });
    expect(broken(machine)).toContain("no call is left behind open");
  });

  it("a failure that is not written down", () => {
    const machine = runMachine.provide({ actions: { recordFailure: forgotten } });
    expect(broken(machine)).toEqual(["the person is told why a run failed"]);
  });

  it("a deadline that stands still while the run works", () => {
    const machine = withChart(runMachine, "states.awaiting_tool.after", {});
    expect(broken(machine)).toEqual(["the deadline runs exactly while the run works"]);
  });
});

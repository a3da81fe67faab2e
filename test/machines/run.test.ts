import { describe, expect, it } from "vitest";
import type { AnyStateMachine } from "xstate";
import { effects, removeRow } from "../../src/machines/effect-actions.ts";
import { runMachine } from "../../src/machines/run/run.machine.ts";
import { slotTable } from "../../src/schema/rows/run-rows.ts";
import { forgotten, self, walk, withChart } from "./kernel-walk.ts";
import { pausedRunWalk, runWalk, steeredRunWalk } from "./run-walk.ts";

const walked = walk(runWalk);
const steered = walk(steeredRunWalk);
const paused = walk(pausedRunWalk);

it("reaches every state and takes every transition", () => {
  const others = [steered, paused];
  const byNone = (found: readonly string[], what: "unreached" | "untaken") =>
    found.filter((one) => others.every((other) => other[what].includes(one)));
  expect(byNone(walked.unreached, "unreached")).toEqual([]);
  expect(byNone(walked.untaken, "untaken")).toEqual([]);
});

it("keeps every law on every path", () => {
  expect(walked.breaches).toEqual({});
  expect(steered.breaches).toEqual({});
  expect(paused.breaches).toEqual({});
  expect(walked.worlds).toBeGreaterThan(100);
});

describe("a planted fault breaks the law it offends:", () => {
  const broken = (machine: AnyStateMachine) => Object.keys(walk({ ...runWalk, machine }).breaches);

  const brokenBySteering = (machine: AnyStateMachine) =>
    Object.keys(walk({ ...steeredRunWalk, machine }).breaches);

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

  it("a message that is asked for and forgotten", () => {
    const machine = runMachine.provide({ actions: { takeSteered: forgotten } });
    expect(brokenBySteering(machine)).toContain("a message that waits reaches the next model call");
  });

  it("a message that is handed over and not written down", () => {
    const machine = runMachine.provide({ actions: { recordSteered: forgotten } });
    expect(brokenBySteering(machine)).toEqual([
      "a message that is handed over is in the history, once, between two rounds' calls",
    ]);
  });

  it("a run that ends though a message waits for it", () => {
    const machine = runMachine.provide({ guards: { isSteeredOn: () => false } });
    expect(brokenBySteering(machine)).toEqual(["a run does not end as done while a message waits"]);
  });

  it("a model call after the step that was to be the last", () => {
    const machine = runMachine.provide({ guards: { stopsAfterRound: () => false } });
    expect(brokenBySteering(machine)).toContain("no model is asked after a stop");
  });

  it("a wait for people after the step that was to be the last", () => {
    const machine = runMachine.provide({ guards: { stopsInsteadOfWaiting: () => false } });
    expect(brokenBySteering(machine)).toContain("nobody is waited for after a stop");
  });

  const brokenByPausing = (machine: AnyStateMachine) =>
    Object.keys(walk({ ...pausedRunWalk, machine }).breaches);

  it("a pause that nobody is asked about", () => {
    const machine = runMachine.provide({ actions: { askForBudget: forgotten } });
    expect(brokenByPausing(machine)).toContain(
      "a person is asked about a budget exactly while the run is paused",
    );
  });

  it("a cancel that leaves the question about a budget open", () => {
    const machine = runMachine.provide({ actions: { cancelBudgetQuestion: forgotten } });
    expect(brokenByPausing(machine)).toEqual([
      "the question about a budget is taken back when the run is cancelled",
    ]);
  });

  it("an answer that lets the run go on and allows nothing", () => {
    const machine = runMachine.provide({
      guards: { isMoreAllowed: ({ event }) => event.type === "approval.decided" },
    });
    expect(brokenByPausing(machine)).toContain(
      "a paused run asks its model again as soon as more is allowed, and never before",
    );
  });

  it("a pause that counts as a round of calls", () => {
    const machine = runMachine.provide({ actions: { rememberPause: forgotten } });
    expect(brokenByPausing(machine)).toContain(
      "a run has at most as many rounds of calls as its limit",
    );
  });

  it("a question about a budget after the step that was to be the last", () => {
    const machine = runMachine.provide({ guards: { stopsInsteadOfAsking: () => false } });
    expect(brokenByPausing(machine)).toContain("nobody is waited for after a stop");
  });

  it("a deadline that stands still while the run works", () => {
    const machine = withChart(runMachine, "states.awaiting_tool.after", {});
    expect(broken(machine)).toEqual(["the deadline runs exactly while the run works"]);
  });
});

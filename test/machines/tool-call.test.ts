import { describe, expect, it } from "vitest";
import { toolCallMachine } from "../../src/machines/tool-call/tool-call.machine.ts";
import { forgotten, walk, withChart } from "./kernel-walk.ts";
import { toolCallWalk } from "./tool-call-walk.ts";

const walked = walk(toolCallWalk);

it("reaches every state and takes every transition", () => {
  expect(walked.unreached).toEqual([]);
  expect(walked.untaken).toEqual([]);
});

it("keeps every law on every path", () => {
  expect(walked.breaches).toEqual({});
});

describe("a planted fault breaks the law it offends:", () => {
  const broken = (machine: unknown) =>
    Object.keys(walk({ ...toolCallWalk, machine: machine as typeof toolCallMachine }).breaches);
  const unasked = "no tool executes without a verdict of run or a person's word";

  it("a policy whose refusal counts as a yes", () => {
    const machine = toolCallMachine.provide({ guards: { isAllowed: () => true } });
    expect(broken(machine)).toContain(unasked);
  });

  it("a decision about another question that counts", () => {
    const machine = toolCallMachine.provide({
      guards: { isApproved: ({ event }) => (event as { state?: string }).state === "approved" },
    });
    expect(broken(machine)).toContain(unasked);
  });

  it("a retry that nobody asked for", () => {
    const machine = toolCallMachine.provide({
      guards: {
        isRetryWanted: ({ event }) => (event as { answer?: string }).answer === "skip",
      },
    });
    expect(broken(machine)).toContain(unasked);
  });

  it("an execution that begins again by itself when its outcome is unknown", () => {
    const machine = withChart(toolCallMachine, "states.executing.invoke.onError.0", {
      guard: "isOutcomeUnknown",
      target: "executing",
      reenter: true,
    });
    expect(broken(machine)).toContain(unasked);
  });

  it("a call that is left in executing after its activity has ended", () => {
    const machine = withChart(toolCallMachine, "states.executing.invoke.onError.0", {
      guard: "isOutcomeUnknown",
      actions: "rememberStart",
    });
    expect(broken(machine)).toContain("a call that works has work under way");
  });

  it("an end that writes nothing", () => {
    const machine = toolCallMachine.provide({ actions: { concludeCall: forgotten } });
    expect(broken(machine)).toEqual(
      expect.arrayContaining([
        "a call that ends writes exactly one result",
        "a call that ends tells its run exactly once",
        "every execution leaves exactly one invocation in the audit",
      ]),
    );
  });

  it("a lost execution that the audit does not hear of", () => {
    const machine = toolCallMachine.provide({ actions: { recordLostExecution: forgotten } });
    expect(broken(machine)).toEqual(["every execution leaves exactly one invocation in the audit"]);
  });

  it("a run that is not told of the retry", () => {
    const machine = toolCallMachine.provide({ actions: { reportResumed: forgotten } });
    expect(broken(machine)).toContain(
      "the run knows whether the call works or waits, and for whom",
    );
  });

  it("a second cancel that forgets that nobody knows", () => {
    const machine = toolCallMachine.provide({ actions: { rememberUnknown: forgotten } });
    expect(broken(machine)).toContain("every execution leaves exactly one invocation in the audit");
  });
});

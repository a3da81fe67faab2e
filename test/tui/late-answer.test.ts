import { expect, it } from "vitest";
import { callsOf } from "../../src/tui/model/run-record.ts";
import { barsOf } from "../../src/tui/model/trace-bars.ts";
import { runRecord } from "./support/records-of-a-day.ts";

/** An answer that came too late stands behind the one that counted. */
function withLateAnswer() {
  const shown = runRecord("r3");
  const decision = shown.audit.find(({ kind }) => kind === "decision");
  if (decision === undefined) throw new Error("r3 has a decision");
  const late = { ...decision, n: 99, status: "refused", error: "approval.already_decided" };
  return { ...shown, audit: [...shown.audit, late] };
}

const nothing = { actors: [], approvals: [] };

it("a call whose question was answered once more too late is shown as it was decided", () => {
  const told = (shown: ReturnType<typeof runRecord>) =>
    callsOf({ shown, actor: undefined }, nothing);
  expect(told(withLateAnswer())).toEqual(told(runRecord("r3")));
});

it("an answer that came too late is no wait for a person", () => {
  expect(barsOf([withLateAnswer()], nothing)).toEqual(barsOf([runRecord("r3")], nothing));
});

import { expect, it } from "vitest";
import { actorText } from "../../src/cli/output/actor-text.ts";
import type { ActorDetails } from "../../src/schema/shown/actor-view.ts";

const now = Date.parse("2026-01-05T20:00:00.000Z");

const run: ActorDetails = {
  address: "session/s/run/r7",
  kind: "run",
  version: "3",
  state: "thinking",
  status: "active",
  parent: "session/s",
  since: "2026-01-05T19:59:50.000Z",
  tags: ["busy"],
  seq: 12,
  trace: "t1",
  created_at: "2026-01-05T19:59:40.000Z",
  active: ["thinking"],
  context: { round: 1 },
  next_events: [
    {
      type: "inbox.handed",
      pokeable: false,
      description: "A waiting message.",
      payload: { type: "object", properties: { seq: {} }, required: ["seq"] },
      targets: ["thinking"],
    },
    {
      type: "run.cancel",
      pokeable: true,
      description: "Stop the run.",
      payload: { type: "object", properties: { reason: { type: "string" } } },
      targets: ["cancelling"],
    },
    {
      type: "run.stop_after_step",
      pokeable: true,
      description: "Let the step end.",
      payload: null,
      targets: ["thinking", "cancelling"],
    },
  ],
  timers: [
    { name: "runDeadline", at: "2026-01-05T20:29:40.000Z", event: "after runDeadline" },
    { name: "grant.g1", at: "2026-01-05T21:00:00.000Z", event: "grant.expired" },
  ],
  activities: [
    {
      name: "callModel",
      status: "pending",
      attempt: 2,
      failed: 2,
      lost: 1,
      not_before: "2026-01-05T20:00:04.000Z",
      error: { code: "model.overloaded", message: "Too \u001b[2Jbusy.", retryable: true },
    },
  ],
  children: 0,
  error: null,
};

it("shows what a run waits for, what it runs, and what a person may send it, with what", () => {
  expect(actorText(run, { now })).toBe(
    String.raw`session/s/run/r7
  kind       run 3
  state      thinking (active) since 2026-01-05 19:59:50
  parent     session/s
  children   0
  trace      t1
  tags       busy
  created    2026-01-05 19:59:40
  last step  12
  timer      after runDeadline in 30m, at 2026-01-05 20:29:40
  timer      grant.g1: grant.expired in 1h, at 2026-01-05 21:00:00
  activity   callModel pending, attempt 2, again in 4s, 1 lost to a restart; before: model.overloaded: Too \x1b[2Jbusy.
  ACCEPTS NOW           BY HAND  LEADS TO              MEANS
  run.cancel {reason?}  yes      cancelling            Stop the run.
  run.stop_after_step   yes      thinking, cancelling  Let the step end.
  inbox.handed          no       thinking              A waiting message.
  context
    round: 1`,
  );
});

it("names every active state of a chart that is in several", () => {
  const active = ["working", "working.calling", "working.listening"];
  const text = actorText({ ...run, active, state: "working.calling working.listening" }, { now });
  expect(text).toContain("  active     working, working.calling, working.listening\n");
});

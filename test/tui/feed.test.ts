import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import type { ServiceStatus } from "../../src/schema/socket/protocol.ts";
import { feed } from "../../src/tui/model/feed.ts";
import { askWaiting } from "../../src/tui/model/waiting.ts";
import type { Service } from "../../src/tui/service.ts";
import { dayStart, modelOfADay, pendingApproval } from "./support/model-of-a-day.ts";

it("tells of the service that is there now as soon as it is attached", async () => {
  const model = modelOfADay();
  const { bus } = model.status as ServiceStatus;
  let pid = 4711;
  let attached = () => {};
  const call = (method: string) =>
    method === "status"
      ? Promise.resolve({ pid, bus })
      : Promise.reject(new Error("not asked for"));
  const service = {
    call,
    on: () => () => {},
    onAttached(heard: () => void) {
      attached = heard;
      heard();
    },
  } as unknown as Service;
  const timers = createSimulatedClock(dayStart);
  const nothing = () => {};
  const hears = { changed: nothing, onFault: nothing, onWaiting: nothing };
  const settled = async () => {
    timers.advance(100);
    await setImmediate();
  };
  feed({ model, service, timers, ...hears });
  await settled();
  expect(model.status?.pid).toBe(4711);
  pid = 4712;
  attached();
  await settled();
  expect(model.status?.pid).toBe(4712);
});

it("keeps what waits as far down as somebody went, whatever was asked before", async () => {
  const model = Object.assign(modelOfADay(), { approvals: [] });
  const late: ((given: unknown) => void)[] = [];
  const rows = (limit: number) => Array.from({ length: limit }, () => pendingApproval);
  const call = (_method: string, params: { limit: number }) =>
    new Promise((resolve) => late.push(() => resolve(rows(params.limit))));
  const asking = { model, service: { call } as unknown as Service };
  const before = askWaiting(asking);
  model.approvalLimit = 400;
  const after = askWaiting(asking);
  for (const answer of late.toReversed()) answer(undefined);
  await Promise.all([before, after]);
  expect(model.approvals).toHaveLength(400);
});

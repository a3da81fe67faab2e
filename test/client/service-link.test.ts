import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { connect } from "../../src/client/connection.ts";
import { ServiceLink } from "../../src/client/service-link.ts";
import type { ActorStep } from "../../src/schema/shown/actor-view.ts";
import { toErrorData } from "../../src/schema/errors.ts";
import { fakeService, sampleHello } from "../cli/support/fake-service.ts";

async function linked(hello = { ...sampleHello }) {
  const service = await fakeService({
    hello,
    "actors.subscribe": { rows: [], steps: [] },
    "approvals.list": [],
  });
  const open = () =>
    connect({ socketPath: join(service.home, "run", "statehive.sock"), client: "tui" });
  const told: string[] = [];
  const link = new ServiceLink({
    connection: await open(),
    open,
    onLost: () => told.push("lost"),
    onBack: () => {
      told.push("back");
      void link.call("actors.subscribe", {});
    },
    onFault: (error) => told.push(toErrorData(error).code),
  });
  onTestFinished(() => link.close());
  return { service, link, told, hello };
}

const step = (seq: number): ActorStep => ({
  seq,
  at: "2026-03-01T12:00:00.000Z",
  address: "session/k",
  event: "run.cancel",
  outcome: "handled",
  reason: null,
  state_before: "idle",
  state_after: "idle",
  trace: "t1",
});

describe("the line to a service that may be restarted", () => {
  it("is opened anew when it is lost, and hears over the new one whoever listened", async () => {
    const { service, link, told } = await linked();
    const heard: number[] = [];
    const leave = link.on(
      "actors.delta",
      ({ steps }) => void heard.push(...steps.map((s) => s.seq)),
    );
    const tell = (seq: number) =>
      service.notify("actors.delta", { rows: [], steps: [step(seq)], dropped: 0 });
    tell(1);
    await vi.waitFor(() => expect(heard).toEqual([1]));
    service.hangUp();
    await vi.waitFor(() => expect(told).toEqual(["lost"]));
    expect(link.isUp).toBe(false);
    expect(link.service).toMatchObject({ version: "0.1.0", pid: 1 });
    await expect(link.call("approvals.list", {})).rejects.toMatchObject({
      code: "service.not_running",
    });
    await vi.waitFor(() => expect(told).toEqual(["lost", "back"]));
    expect(link.isUp).toBe(true);
    await vi.waitFor(() =>
      expect(service.requests).toMatchObject([{ method: "actors.subscribe" }]),
    );
    tell(2);
    await vi.waitFor(() => expect(heard).toEqual([1, 2]));
    leave();
    tell(3);
    await link.call("approvals.list", {});
    expect(heard).toEqual([1, 2]);
  });

  it("goes on with what is asked lastingly, and says that it was begun before", async () => {
    const { service, link } = await linked();
    const begun: boolean[] = [];
    const answer = link.lasting(async ({ call }, isAgain) => {
      begun.push(isAgain);
      if (!isAgain) service.hangUp();
      return call("approvals.list", {});
    });
    expect(await answer).toEqual([]);
    expect(begun).toEqual([false, true]);
  });

  it("stays down, with a fault that says what to do, where another version came back", async () => {
    const { service, link, told, hello } = await linked();
    hello.protocol = 99;
    service.hangUp();
    await vi.waitFor(() => expect(told).toEqual(["lost", "service.other_version"]));
    expect(link.isUp).toBe(false);
  });
});

it("a service from before clients had names is one of another version", async () => {
  const refused = { code: "usage", message: "Unrecognized key: client", retryable: false } as const;
  const { home } = await fakeService({ hello: refused });
  const socketPath = join(home, "run", "statehive.sock");
  await expect(connect({ socketPath, client: "tui" })).rejects.toMatchObject({
    code: "service.other_version",
    hint: expect.stringContaining("statehive restart"),
  });
});

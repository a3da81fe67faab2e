import { expect, it, vi } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import type { Notifications } from "../../src/schema/socket/protocol.ts";
import { type FakeService, fakeService } from "./support/fake-service.ts";
import { fakeTerminal } from "./support/fake-terminal.ts";

const delta: Notifications["actors.delta"] = {
  rows: [],
  dropped: 0,
  steps: [
    {
      seq: 7,
      at: "2026-03-01T11:59:18.042Z",
      address: "session/k/run/r4",
      event: "run.cancel",
      outcome: "handled",
      reason: null,
      state_before: "thinking",
      state_after: "cancelling",
      trace: "t1",
    },
  ],
};

async function watching(...args: readonly string[]) {
  const service = await fakeService({ "actors.subscribe": { rows: [], steps: [] } });
  const terminal = fakeTerminal({ env: { STATEHIVE_HOME: service.home } });
  const ended = runCli(["actors", "watch", ...args], terminal);
  await vi.waitFor(() => expect(terminal.out()).not.toBe(""));
  return { service, terminal, ended };
}

function tell(service: FakeService): void {
  service.notify("actors.delta", delta);
}

it("shows each step as a line, until Ctrl-C", async () => {
  const { service, terminal, ended } = await watching("session/");
  expect(service.requests[0]?.params).toEqual({ prefix: "session/" });
  tell(service);
  const line = "11:59:18.042  run.cancel  thinking -> cancelling  session/k/run/r4";
  await vi.waitFor(() => expect(terminal.out()).toBe(`No actor lives there.\n${line}\n`));
  terminal.signal("SIGINT");
  expect(await ended).toBe(130);
});

it("tells a snapshot and then each change as a line of JSON, until the service goes away", async () => {
  const { service, terminal, ended } = await watching("--json");
  tell(service);
  await vi.waitFor(() => expect(terminal.out().split("\n").length).toBe(3));
  service.hangUp();
  expect(await ended).toBe(3);
  const lines = terminal.out().trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { type: "actors.snapshot", rows: [] },
    { type: "actors.delta", ...delta },
    {
      ok: false,
      error: {
        code: "service.not_running",
        message: "The service has gone away.",
        hint: "`statehive start` starts it again",
      },
    },
  ]);
});

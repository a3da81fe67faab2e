import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { connect } from "../../src/client/connection.ts";
import type { InspectedActor, InspectedStep } from "../../src/schema/shown/inspected.ts";
import { type InspectorOptions, serveInspector } from "../../src/web/inspector-server.ts";
import type { StreamMessage } from "../../src/web/stream-message.ts";
import { fakeService } from "../cli/support/fake-service.ts";

/** An inspector over a service that answers as a test tells it to. */

export const session = "session/k";
export const run = "session/k/run/r4";

export function actor(address: string, more: Partial<InspectedActor> = {}): InspectedActor {
  const isRun = address.includes("/run/");
  return {
    address,
    name: isRun ? "run/r4" : address,
    machine: isRun ? "run" : "session",
    version: "3",
    parent: isRun ? session : null,
    root: session,
    seq: 1,
    snapshot: { status: "active", value: "idle", context: {} },
    ...more,
  };
}

export function step(address: string, more: Partial<InspectedStep> = {}): InspectedStep {
  return {
    seq: 2,
    at: "2026-03-01T11:59:18.042Z",
    address,
    source: null,
    event: { type: "slot.granted" },
    outcome: "handled",
    reason: null,
    state_before: "idle",
    state_after: "thinking",
    trace: "t1",
    snapshot: { status: "active", value: "thinking", context: { round: 1 } },
    ...more,
  };
}

const built = fileURLToPath(new URL("../../dist", import.meta.url));

const definition = JSON.stringify({
  id: "run",
  initial: "idle",
  states: { idle: {}, thinking: {} },
});
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><style>a{}</style><g class="state atomic" data-id="run.idle"><rect/></g><g class="state atomic" data-id="run.thinking"><rect/></g><path class="transition" data-from="run.idle" data-to="run.thinking" data-events="slot.granted"/></svg>`;

export async function inspectedHive(options: Partial<InspectorOptions> = {}) {
  const service = await fakeService({
    "actors.inspect": { actors: [actor(session), actor(run)] },
  });
  const server = await serveInspector({
    address: "",
    charts: [{ name: "run", version: "3", definition, svg }],
    hosted: "https://stately.example/inspect",
    built,
    port: 0,
    connect: () => connect({ socketPath: `${service.home}/run/statehive.sock` }),
    ...options,
  });
  onTestFinished(() => server.close());
  const base = `http://127.0.0.1:${server.port}`;
  const open = (token = server.token, signal?: AbortSignal) =>
    fetch(`${base}/stream`, {
      headers: { authorization: `Bearer ${token}` },
      ...(signal === undefined ? {} : { signal }),
    });
  return { service, server, base, open };
}

/** The next messages of a stream, one at a time. */
export async function* messagesOf(response: Response): AsyncGenerator<StreamMessage> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of response.body) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as StreamMessage;
  }
}

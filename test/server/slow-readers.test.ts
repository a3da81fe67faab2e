import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { eventHandlers } from "../../src/app/api/events.ts";
import { logHandlers } from "../../src/app/api/logs.ts";
import { createSystemClock } from "../../src/adapters/clock/system-clock.ts";
import { openLogging } from "../../src/app/logs/open-logging.ts";
import { EventStream } from "../../src/app/news/event-stream.ts";
import { createNewsBus, type News } from "../../src/app/news/news.ts";
import type { SidecarEvent } from "../../src/schema/shown/news.ts";
import { createTestHive } from "../support/hive.ts";
import { serveApi, subscriber } from "../support/served-api.ts";

/** Clients that ask for news over a real socket and then do not read them. */

async function serve() {
  const folder = mkdtempSync(join(tmpdir(), "statehive-slow-"));
  const clock = createSystemClock();
  const { log, logFile } = openLogging({
    path: join(folder, "statehive.log"),
    settings: { level: "info", max_bytes: 100_000_000, files: 2 },
    clock,
    redact: <T>(value: T) => value,
    write: () => {},
  });
  onTestFinished(async () => {
    await logFile.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const bus = createNewsBus((await createTestHive()).engine);
  const served = await serveApi({
    ...eventHandlers(bus, new EventStream()),
    ...logHandlers({ path: logFile.path, clock }),
  });
  return { ...served, bus, log };
}

const event = (n: number): News => ({
  type: "MessageAccepted",
  seq: n,
  at: "2026-01-01T00:00:00.000Z",
  trace_id: "t".repeat(2_000),
  session_id: "s1",
  task_id: null,
  run_id: null,
  agent_id: "main",
  channel_type: "local",
  connector_id: "local",
  conversation_scope: "cli",
  user_scope: "owner",
  queued: false,
});

it("a client that does not read events costs a bounded queue, is told how many it lost, and holds up nobody", async () => {
  const { path, bus, sockets } = await serve();
  const slow = await subscriber(path, "events.subscribe", {});
  slow.socket.pause();
  const quick = await subscriber(path, "events.subscribe", {});
  const heard = () =>
    quick.told.flatMap(({ params }) => (params?.["events"] ?? []) as readonly SidecarEvent[]);
  const all = 6_000;
  for (let n = 1; n <= all; n += 500) {
    for (let k = n; k < n + 500; k += 1) bus.publish(event(k));
    await vi.waitFor(() => expect(heard().length).toBe(n + 499), { interval: 5 });
  }
  expect(sockets[0]?.writableLength).toBeLessThan(1_000_000);
  slow.socket.resume();
  const counted = () =>
    slow.told
      .map(({ params }) => [
        (params?.["events"] as readonly unknown[] | undefined)?.length ?? 0,
        (params?.["dropped"] as number | undefined) ?? 0,
      ])
      .reduce(([a = 0, b = 0], [c = 0, d = 0]) => [a + c, b + d], [0, 0]);
  await vi.waitFor(() => expect(counted().reduce((a, b) => a + b)).toBe(all));
  const [, dropped = 0] = counted();
  expect(dropped).toBeGreaterThan(1_000);
  expect(dropped).toBeLessThanOrEqual(all - 1_000);
});

it("a client that does not read the log leaves it in the file, and reads all of it later", async () => {
  const { path, log, sockets } = await serve();
  log("info", "the first");
  await vi.waitFor(async () => {
    const { told } = await subscriber(path, "logs.tail", {});
    expect(JSON.stringify(told[0])).toContain("the first");
  });
  const slow = await subscriber(path, "logs.tail", { follow: true });
  slow.socket.pause();
  for (let n = 1; n <= 3_000; n += 1) log("info", `${n} ${"x".repeat(1_000)}`);
  const records = () =>
    slow.told.flatMap(({ params }) => (params?.["records"] ?? []) as readonly unknown[]);
  await vi.waitFor(() => expect(sockets.at(-1)?.writableNeedDrain).toBe(true));
  expect(sockets.at(-1)?.writableLength).toBeLessThan(2_000_000);
  slow.socket.resume();
  await vi.waitFor(() => expect(records()).toHaveLength(3_000));
  expect(slow.told.some(({ params }) => params?.["is_torn"] === true)).toBe(false);
});

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Service } from "../../src/app/service.ts";
import { listen } from "../../src/server/socket-server.ts";
import { connectRaw } from "../support/raw-socket.ts";

const request = (id: number, method: string, params = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const hundred = Array.from({ length: 100 }, (_, id) => request(id, "status")).join("");

/** A socket whose `status` is answered when the test says so, with as much text as it wants. */
async function heldServer(text: string) {
  const directory = mkdtempSync(join(tmpdir(), "statehive-greedy-"));
  const path = join(directory, "a.sock");
  const begun: (() => void)[] = [];
  const api = {
    hello: async () => ({ protocol: 1, version: "" }),
    status: () => new Promise((resolve) => begun.push(() => resolve({ text }))),
  };
  const service = { paths: { socket: path }, api: () => api, log: () => undefined };
  const server = await listen(service as unknown as Service, () => undefined);
  onTestFinished(async () => {
    await server.close();
    rmSync(directory, { recursive: true });
  });
  return { path, begun };
}

async function expectAnswer(path: string) {
  const other = await connectRaw(path);
  expect(await other.ask(request(1, "hello", { protocol: 1 }))).toMatchObject({ id: 1 });
  other.close();
}

it("works on eight requests of a client at a time, on all of them in the end, and answers others meanwhile", async () => {
  const { path, begun } = await heldServer("");
  const greedy = await connectRaw(path);
  const first = greedy.ask(hundred);
  await vi.waitFor(() => expect(begun).not.toHaveLength(0));
  await expectAnswer(path);
  expect(begun).toHaveLength(8);
  for (let n = 0; n < 100; n += 1) {
    await vi.waitFor(() => expect(begun.length).toBeGreaterThan(n));
    begun[n]?.();
  }
  expect(await first).toMatchObject({ id: 0 });
  greedy.close();
});

it("begins no more for a client that does not read its answers", async () => {
  const { path, begun } = await heldServer("x".repeat(1_000_000));
  const greedy = connect(path);
  onTestFinished(() => void greedy.destroy());
  await once(greedy, "connect");
  greedy.pause().write(hundred);
  await vi.waitFor(() => expect(begun).toHaveLength(8));
  for (const answer of begun) answer();
  await expectAnswer(path);
  expect(begun).toHaveLength(8);
});

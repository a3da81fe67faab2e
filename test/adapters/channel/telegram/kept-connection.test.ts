import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import type { AgentError } from "../../../../src/schema/errors.ts";
import { createTelegramChannel } from "../../../../src/adapters/channel/telegram/telegram-channel.ts";
import { plainMessage } from "../../../contracts/channel.contract.ts";
import { never, sendCall } from "./bot-world.ts";

/** Answers getMe, keeps the connection open, and resets it when it is told to; then says so in `done`. */
const keepingServer = `
  const { createServer } = require("node:net");
  const { parentPort, workerData } = require("node:worker_threads");
  const me = JSON.stringify({ ok: true, result: { id: 1, is_bot: true, first_name: "b", username: "b_bot" } });
  let requests = 0;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => {
      requests += 1;
      socket.write("HTTP/1.1 200 OK\\r\\ncontent-length: " + me.length + "\\r\\n\\r\\n" + me);
    });
    parentPort.once("message", () => {
      socket.once("close", () => {
        Atomics.store(workerData, 0, requests);
        Atomics.notify(workerData, 0);
      });
      socket.resetAndDestroy();
    });
  });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

/** Sends over a connection that was reset since it was last used. @returns how that is refused */
async function sendOverReset(): Promise<unknown> {
  const requests = new Int32Array(new SharedArrayBuffer(4));
  const server = new Worker(keepingServer, { eval: true, workerData: requests });
  onTestFinished(async () => void (await server.terminate()));
  const [port] = (await once(server, "message")) as [number];
  const apiRoot = `http://127.0.0.1:${port}`;
  const channel = createTelegramChannel({ token: "8001:kept", apiRoot });
  await channel.identify(never);
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  server.postMessage("reset");
  Atomics.wait(requests, 0, 0);
  const sent = channel.send(plainMessage("1001", "hello"), 0, sendCall);
  const refused: unknown = await sent.catch((error: unknown) => error);
  expect(requests[0]).toBe(1);
  return refused;
}

/** Which of the two the kernel tells first is its own affair; that a failed write is no sending is held in telegram-errors.test.ts. */
const heardAsItWrote = { code: "channel.unreachable", retryable: true };
const heardAsItRead = { code: "channel.answer_lost", retryable: false };

it("sends again over a connection that was reset only where it heard of that as it wrote", async () => {
  for (let tries = 0; tries < 5; tries++) {
    const { code, retryable } = (await sendOverReset()) as AgentError;
    expect([heardAsItWrote, heardAsItRead]).toContainEqual({ code, retryable });
  }
});

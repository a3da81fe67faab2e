import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "../../src/client/connection.ts";
import type { ShownApproval, ShownRun } from "../../src/schema/protocol.ts";
import { say, sayStep } from "./say.ts";
import type { DemoService } from "./service.ts";

const pollMs = 50;
/** What has happened is told by then. */
const toldMs = 150;

/** @returns what stands in the file that the run wrote */
export async function chatThroughKill(service: DemoService, home: string): Promise<string> {
  await watch(service.connection);
  const text = "write buy milk to todo.txt";
  say(`You: ${text}`);
  await service.connection.call("chat.send", { chat: "demo", text });
  const asked = await waitForApproval(service.connection);
  await pause(toldMs);
  say(`Approval ${asked.id} waits: ${asked.summary} (${asked.tool}, ${asked.risk})`);

  const again = await service.killAndRestart();
  await watch(again);
  const still = await waitForApproval(again);
  say(`Approval ${still.id} still waits, under the same id: ${still.id === asked.id}`);
  await again.call("approvals.decide", { id: still.id, decision: "approve" });
  say(`You allowed ${still.id}, once`);

  const run = await waitForEnd(again);
  await pause(toldMs);
  say(`Agent: ${run.reply ?? ""}`);
  const { ok, rows } = await again.call("audit.verify", {});
  say(`The audit chain verifies: ${ok} (${rows} rows)`);
  return readFileSync(join(home, "workspace", "main", "todo.txt"), "utf8");
}

async function watch(connection: Connection): Promise<void> {
  connection.on("actors.delta", ({ steps }) => steps.forEach(sayStep));
  await connection.call("actors.subscribe", {});
}

async function waitForApproval(connection: Connection): Promise<ShownApproval> {
  return until(async () => (await connection.call("approvals.list", {}))[0]);
}

async function waitForEnd(connection: Connection): Promise<ShownRun> {
  return until(async () => {
    const [run] = await connection.call("runs.list", {});
    return run !== undefined && run.ended_at !== null ? run : undefined;
  });
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(pollMs);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "../../src/client/connection.ts";
import { ended, isWaiting, pause, until } from "./follow-run.ts";
import { say, sayStep } from "./say.ts";
import type { DemoService } from "./service.ts";

/** What has happened is told by then. */
const toldMs = 150;

/** @returns what stands in the file that the run wrote */
export async function chatThroughKill(service: DemoService, home: string): Promise<string> {
  await watch(service.connection);
  const text = "write buy milk to todo.txt";
  say(`You: ${text}`);
  await service.connection.call("chat.send", { chat: "demo", text });
  const asked = await until(() => isWaiting(service.connection));
  await pause(toldMs);
  say(`Approval ${asked.id} waits: ${asked.summary} (${asked.tool}, ${asked.risk})`);

  const again = await service.killAndRestart();
  await watch(again);
  const still = await until(() => isWaiting(again));
  say(`Approval ${still.id} still waits, under the same id: ${still.id === asked.id}`);
  await again.call("approvals.decide", { id: still.id, decision: "approve" });
  say(`You allowed ${still.id}, once`);

  const run = await until(() => ended(again));
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

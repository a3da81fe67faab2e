import type { Connection } from "../../src/client/connection.ts";
import type { ShownApproval, ShownRun } from "../../src/schema/socket/protocol.ts";

/** What became of what was said. */

const pollMs = 50;

export async function isWaiting(connection: Connection): Promise<ShownApproval | undefined> {
  return (await connection.call("approvals.list", {}))[0];
}

/** The newest run, of this session where one is named; undefined while it goes on. */
export async function ended(
  connection: Connection,
  session?: string,
): Promise<ShownRun | undefined> {
  const which = session === undefined ? {} : { session };
  const [run] = await connection.call("runs.list", which);
  return run !== undefined && run.ended_at !== null ? run : undefined;
}

export async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await pause();
  }
}

export function pause(ms: number = pollMs): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

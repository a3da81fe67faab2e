import { isWhole, storedContext } from "../../engine/kernel/actor-state.ts";
import { type ActivityRow, activityTable, actorTable } from "../../engine/tables.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { type Trust, trust } from "../../schema/contexts/trust.ts";
import { iso } from "./shown.ts";

/** What the actor of a run does and knows at this moment, by its address. */

/** The model call that is under way or waits to be made again. */
export async function modelCallOf(
  read: CommittedReader,
  address: string,
): Promise<ActivityRow | undefined> {
  const snapshot = (await read.get(actorTable, address))?.snapshot ?? null;
  const life = isWhole(snapshot) ? snapshot.activities["callModel"] : undefined;
  if (life === undefined) return undefined;
  return read.get(activityTable, `${address}/callModel#${life.seq}`);
}

/** The wait between two attempts. */
export function waitOf(call: ActivityRow | undefined) {
  if (call?.status !== "pending" || call.failed === 0) return null;
  const { attempt, not_before, error } = call;
  return { attempt: attempt + 1, next_try_at: iso(not_before), code: error?.code ?? "" };
}

export async function trustOf(read: CommittedReader, address: string): Promise<Trust | null> {
  const row = await read.get(actorTable, address);
  const known = trust.safeParse(storedContext(row?.snapshot ?? null)["trust"]);
  return known.success ? known.data : null;
}

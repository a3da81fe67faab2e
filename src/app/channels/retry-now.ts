import type { Engine } from "../../engine/engine.ts";
import type { ActorRow } from "../../engine/tables.ts";
import { type DeliveryRow, deliveryTable } from "../../schema/rows/channel-rows.ts";

/** What waits to be tried again over channels is tried before its time. */

type Talking = Pick<Engine, "read" | "send">;

/** After something has changed that may have kept it back; but where the channel said how long to wait, that is waited. */
export function retryDeliveriesOf(engine: Talking, connectorIds: readonly string[]): Promise<void> {
  return retryDeliveries(
    engine,
    ({ connector_id, error }) =>
      connectorIds.includes(connector_id) && error?.retry_after_ms === undefined,
  );
}

/** After the clock was set back: what was to come in some minutes would come in some minutes more than that. */
export async function retryAll(engine: Talking & Pick<Engine, "actors">): Promise<void> {
  const living = await engine.actors({ status: "active", prefix: "connector/" });
  for (const { address } of living.filter(isBackingOff))
    await engine.send(address, { type: "connector.start" }, { origin: "api" });
  await retryDeliveries(engine, () => true);
}

function isBackingOff({ machine, state }: ActorRow): boolean {
  return machine === "connector" && (state === "backing_off" || state === "conflict");
}

/** One that has not failed yet waits for its turn, which nobody takes from those before it. */
async function retryDeliveries(
  { read, send }: Talking,
  isMeant: (delivery: DeliveryRow) => boolean,
): Promise<void> {
  const pending = await read.select(deliveryTable, { index: "by_state", equals: ["pending"] });
  const failed = pending.filter((one) => one.error !== null && isMeant(one));
  await Promise.all(
    failed.map(({ address }) => send(address, { type: "delivery.retry" }, { origin: "api" })),
  );
}

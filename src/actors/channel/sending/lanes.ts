import type { Lookup } from "../../../engine/engine.ts";
import type { RowReader } from "../../../ports/store.ts";
import type { SendParams } from "../../../schema/effect.ts";
import {
  type DeliveryRow,
  deliveryTable,
  previewTable,
} from "../../../schema/rows/channel-rows.ts";

/** In one conversation deliveries go out one after another, in the order in which they were made. */

/** Its turn has come at once if nothing in its conversation goes before it. */
export const grantTurn: Lookup = (read, { delivery_id }) => {
  const row = read.get(deliveryTable, delivery_id as string);
  const first = row === undefined ? undefined : firstIn(read, row);
  return first === undefined || first.delivery_id !== delivery_id ? [] : [turnOf(read, first)];
};

/** Of the one that waits longest behind this one, which has ended. */
export const grantNextTurn: Lookup = (read, { delivery_id }) => {
  const row = read.get(deliveryTable, delivery_id as string);
  const next = row === undefined ? undefined : firstIn(read, row);
  return next === undefined ? [] : [turnOf(read, next)];
};

function firstIn(
  read: RowReader,
  { connector_id, scope }: Pick<DeliveryRow, "connector_id" | "scope">,
): DeliveryRow | undefined {
  const [first] = read.select(deliveryTable, {
    index: "by_lane",
    equals: [connector_id, scope, 1],
    limit: 1,
  });
  return first;
}

/** A reply takes the place of the message that shows what was written of it. */
function turnOf(read: RowReader, { address, kind, about }: DeliveryRow): SendParams {
  const preview = kind === "reply" ? read.get(previewTable, about ?? "") : undefined;
  return { to: address, event: { type: "turn.granted", edits: preview?.message_id ?? null } };
}

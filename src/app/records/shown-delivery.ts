import { composeMessage } from "../../actors/channel/sending/compose.ts";
import type { CommittedReader } from "../../ports/store.ts";
import {
  type DeliveryRow,
  type DeliveryState,
  deliveryStates,
  deliveryTable,
} from "../../schema/rows/channel-rows.ts";
import { AgentError } from "../../schema/errors.ts";
import type { Body, CardPart } from "../../schema/outbound.ts";
import type { ShownDelivery, ShownDeliveryDetails } from "../../schema/shown/shown-channels.ts";
import { iso, isoOrNull } from "./shown.ts";

/** Messages to people, as their owner sees them. */

export type DeliveryFilter = {
  readonly state?: DeliveryState | undefined;
  readonly connector?: string | undefined;
  readonly limit: number;
};

/** Rows of one state that are looked at, newest first. */
const mostOfState = 10_000;
const ended = ["unknown", "dead"] as const;
const open = ["pending", "sending"] as const;

/** Nobody knows whether it arrived, or it did not though nobody wanted that, and it was not sent again. */
function needsSomebody({ state, error, resent_as }: DeliveryRow): boolean {
  return resent_as === null && (state === "unknown" || (state === "dead" && error !== null));
}

/** First those that need somebody, then those on their way, then the others; each newest first. */
export async function listDeliveries(
  read: CommittedReader,
  { state, connector, limit }: DeliveryFilter,
): Promise<ShownDelivery[]> {
  const states = state === undefined ? deliveryStates : [state];
  const most = connector === undefined && state !== undefined ? limit : mostOfState;
  const found = (await Promise.all(states.map((one) => ofState(read, one, most)))).flat();
  return found
    .filter((row) => connector === undefined || row.connector_id === connector)
    .toSorted((a, b) => rankOf(a) - rankOf(b) || b.seq - a.seq)
    .slice(0, limit)
    .map(showDelivery);
}

function rankOf(row: DeliveryRow): number {
  if (needsSomebody(row)) return 0;
  return row.open === 1 ? 1 : 2;
}

function ofState(
  read: CommittedReader,
  state: DeliveryState,
  limit: number,
): Promise<DeliveryRow[]> {
  return read.select(deliveryTable, {
    index: "by_state",
    equals: [state],
    descending: true,
    limit,
  });
}

export type DeliveryCounts = { open: number; unknown: number; dead: number };

/** On their way, and those that need somebody. @param connector only its own */
export async function countDeliveries(
  read: CommittedReader,
  connector?: string,
): Promise<DeliveryCounts> {
  const isIts = (row: DeliveryRow) => connector === undefined || row.connector_id === connector;
  const many = await Promise.all(open.map((state) => countOf(read, state, connector)));
  const [unknown, dead] = await Promise.all(
    ended.map(async (state) => {
      const rows = await ofState(read, state, mostOfState);
      return rows.filter((row) => isIts(row) && needsSomebody(row)).length;
    }),
  );
  return { open: many.reduce((sum, one) => sum + one, 0), unknown: unknown ?? 0, dead: dead ?? 0 };
}

/** Of all of them the rows need not be read. */
async function countOf(
  read: CommittedReader,
  state: DeliveryState,
  connector: string | undefined,
): Promise<number> {
  if (connector === undefined)
    return read.count(deliveryTable, { index: "by_state", equals: [state] });
  const rows = await ofState(read, state, mostOfState);
  return rows.filter(({ connector_id }) => connector_id === connector).length;
}

/** @throws AgentError delivery.not_found */
export async function findDelivery(read: CommittedReader, id: string): Promise<DeliveryRow> {
  const row = await read.get(deliveryTable, id);
  if (row !== undefined) return row;
  throw new AgentError("delivery.not_found", `No delivery is called ${id}.`, {
    hint: "`statehive deliveries list` lists them",
  });
}

export function showDelivery(row: DeliveryRow): ShownDelivery {
  const { delivery_id, address, connector_id, scope, kind, about, state } = row;
  const { attempts, error, resends, resent_as, trace_id } = row;
  return {
    id: delivery_id,
    address,
    connector_id,
    scope,
    kind,
    about,
    state,
    needs_you: needsSomebody(row),
    arrived: row.message_ids.length,
    attempts,
    error,
    resends,
    resent_as,
    trace_id,
    created_at: iso(row.created_at),
    ended_at: isoOrNull(row.ended_at),
  };
}

export async function deliveryDetails(
  read: CommittedReader,
  row: DeliveryRow,
): Promise<ShownDeliveryDetails> {
  const message = await composeMessage(read, row);
  return { ...showDelivery(row), text: message === undefined ? null : textOf(message.body) };
}

function textOf(body: Body): string {
  return body.kind === "card" ? body.parts.map(lineOf).join("\n") : body.text;
}

function lineOf(part: CardPart): string {
  return part.kind === "fact" ? `${part.name}: ${part.value}` : part.text;
}

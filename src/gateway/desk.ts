import { hashOf } from "../policy/canonical-json.ts";
import type { RowReader } from "../ports/store.ts";
import type { ConnectorUpdate } from "../schema/rows/channel-rows.ts";
import type { InboundUpdate } from "../schema/inbound.ts";
import { BucketBook } from "./bucket-book.ts";
import type { Admitted, GatewaySettings, GatewayWord, Refusal, Verdict } from "./judged.ts";
import { PairingBook } from "./pairing-book.ts";
import { isSaid } from "./standing.ts";

/** Where a batch of updates is judged: what is known, and what was decided so far. */
export type Desk = {
  readonly read: RowReader;
  readonly settings: GatewaySettings;
  readonly at: number;
  readonly buckets: BucketBook;
  readonly pairings: PairingBook;
  readonly admitted: Admitted[];
  readonly words: GatewayWord[];
  /** By update id. */
  readonly updates: Map<string, ConnectorUpdate>;
  readonly refusals: Refusal[];
  /** By bucket. */
  readonly writers: Map<string, Writer>;
};

/** A known person of this batch, and where they are told if not all was accepted. */
export type Writer = {
  readonly user: string;
  readonly isUrgent: boolean;
  readonly scope: string;
  readonly reply_to: string | null;
  readonly trace_id: string;
};

export function openDesk(read: RowReader, settings: GatewaySettings, at: number): Desk {
  return {
    read,
    settings,
    at,
    buckets: new BucketBook(read, at),
    pairings: new PairingBook(read, settings.doorway.connector_id, at),
    admitted: [],
    words: [],
    updates: new Map(),
    refusals: [],
    writers: new Map(),
  };
}

/** The same update has the same trace, whenever it comes. */
export function traceOf(connector_id: string, { update_id }: InboundUpdate): string {
  return `t${hashOf([connector_id, update_id]).slice(0, 16)}`;
}

/** So that the same update again is known. */
export function keepUpdate(desk: Desk, update: InboundUpdate, verdict: Verdict): void {
  const { connector_id } = desk.settings.doorway;
  const { update_id, conversation, sender, what } = update;
  desk.updates.set(update_id, {
    connector_id,
    update_id,
    trace_id: traceOf(connector_id, update),
    scope: conversation?.scope ?? null,
    message_id: isSaid(what) ? what.message_id : null,
    user_scope: sender?.id ?? null,
    at: desk.at,
    verdict,
  });
}

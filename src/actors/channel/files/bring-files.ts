import type { Admitted } from "../../../gateway/judged.ts";
import type { DownloadInput } from "../../../machines/download/download-events.ts";
import type { RowReader } from "../../../ports/store.ts";
import { type OpenFetch, openFetchTable } from "../../../schema/rows/channel-rows.ts";
import type { SendParams } from "../../../schema/effect.ts";
import type { InboundPlace } from "../../../schema/inbound.ts";
import { connectorAddress } from "../channels.ts";

/** A message with files goes to an actor that fetches them, and so does whatever its person says there before they are all here:
 *  nothing overtakes. */

export type Fetches = {
  readonly read: RowReader;
  /** Of the step that hands on what came. */
  readonly seq: number;
  /** Those that began with what came before in the same step, by place. */
  readonly begun: Map<string, string>;
};

export type PersonHere = Pick<InboundPlace, "connector_id" | "conversation_scope" | "user_scope">;

export type Brought = Admitted & {
  readonly what: Extract<Admitted["what"], { readonly kind: "message" }>;
};

/** @returns undefined for a message that need not wait */
export function bringFiles(fetches: Fetches, admitted: Brought): readonly SendParams[] | undefined {
  const { place, conversation, what: message } = admitted;
  const present = fetchOf(fetches, place);
  if (present === undefined && message.attachments.length === 0) return undefined;
  const id = present ?? begin(fetches, place);
  const { connector_id, conversation_scope: scope, user_scope, trace_id: trace } = place;
  const input: DownloadInput = { download_id: id, connector_id, scope, user_scope };
  return [
    {
      to: addressOf(connector_id, id),
      event: { type: "message.brought", place, conversation, message },
      trace,
      create: { machine: "download", input },
      refused: { type: "message.refused", scope, reply_to: message.message_id },
    },
  ];
}

function addressOf(connectorId: string, id: string): string {
  return `${connectorAddress(connectorId)}/download/${id}`;
}

const keyOf = ({ conversation_scope, user_scope }: InboundPlace) =>
  JSON.stringify([conversation_scope, user_scope]);

function fetchOf({ read, begun }: Fetches, place: InboundPlace): string | undefined {
  const open = openFetchOf(read, place);
  return open === undefined
    ? begun.get(keyOf(place))
    : open.address.slice(open.address.lastIndexOf("/") + 1);
}

/** What fetches for this person in this place now. */
export function openFetchOf(
  read: RowReader,
  { connector_id, conversation_scope, user_scope }: PersonHere,
): OpenFetch | undefined {
  const [open] = read.select(openFetchTable, {
    index: "by_person",
    equals: [connector_id, conversation_scope, user_scope],
    limit: 1,
  });
  return open;
}

function begin({ seq, begun }: Fetches, place: InboundPlace): string {
  const id = begun.size === 0 ? `f${seq}` : `f${seq}-${begun.size}`;
  begun.set(keyOf(place), id);
  return id;
}

import type { RowReader } from "../../../ports/store.ts";
import type { InboundMessage, InboundUpdate } from "../../../schema/inbound.ts";
import { waitingForFiles } from "./waiting-for-files.ts";

/** In a group only one part of an album has the words that say whom it is for: the others, which come with it or right after it, are
 *  for the same. */
export function wholeAlbums(
  read: RowReader,
  connector_id: string,
  updates: readonly InboundUpdate[],
): readonly InboundUpdate[] {
  const parts = updates.flatMap((one) => partOf(one) ?? []);
  const addressed = new Set(parts.filter(isForAgent).map(({ album }) => album));
  return updates.map((update) => {
    const part = partOf(update);
    if (part === undefined || part.what.is_addressed) return update;
    const isOurs = addressed.has(part.album) || isBeingFetched(read, connector_id, part);
    return isOurs ? { ...update, what: { ...part.what, is_addressed: true } } : update;
  });
}

type Part = {
  readonly what: InboundMessage;
  readonly scope: string;
  readonly user: string;
  /** Of this person, in this conversation. */
  readonly album: string;
};

function partOf({ conversation, sender, what }: InboundUpdate): Part | undefined {
  if (conversation === null || sender === null) return undefined;
  if (what.kind !== "message" || what.album_id === null) return undefined;
  const { scope } = conversation;
  return { what, scope, user: sender.id, album: JSON.stringify([scope, sender.id, what.album_id]) };
}

/** A command is for the service, whatever hangs on it. */
function isForAgent({ what }: Part): boolean {
  return what.is_addressed && what.command === null;
}

function isBeingFetched(read: RowReader, connector_id: string, { what, scope, user }: Part) {
  const person = { connector_id, conversation_scope: scope, user_scope: user };
  return waitingForFiles(read, person).some(({ said }) => said.album_id === what.album_id);
}

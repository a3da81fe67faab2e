import { storedContext } from "../../../engine/kernel/actor-state.ts";
import { actorTable } from "../../../engine/tables.ts";
import type { RowReader } from "../../../ports/store.ts";
import type { DownloadContext, WaitingMessage } from "../../../schema/contexts/download-context.ts";
import { openFetchOf, type PersonHere } from "./bring-files.ts";

/** What a person has said in a place and no agent has yet, since files of it are still being fetched. */
export function waitingForFiles(read: RowReader, person: PersonHere): readonly WaitingMessage[] {
  const address = openFetchOf(read, person)?.address;
  const fetching = address === undefined ? undefined : read.get(actorTable, address);
  if (fetching === undefined) return [];
  return (storedContext(fetching.snapshot) as Partial<DownloadContext>).messages ?? [];
}

import type { Channels } from "../../actors/channel/channels.ts";
import { isListed, letInNoMore } from "../../actors/channel/let-in.ts";
import { keyIn, placeIn } from "../../actors/session-key.ts";
import type { Engine } from "../../engine/engine.ts";
import { actorTable } from "../../engine/tables.ts";
import { isLocalSession } from "../../policy/session-place.ts";
import { pairingTable } from "../../schema/rows/channel-rows.ts";

/** Whom the configuration lets in no more is turned out: what runs or waits in their conversations ends. */
export async function endTurnedOut(
  { read, send }: Pick<Engine, "read" | "send">,
  channels: Pick<Channels, "settings">,
): Promise<void> {
  const open = { index: "by_version", equals: ["active"], from: "session", upTo: "session" };
  for (const { address } of await read.select(actorTable, open)) {
    const person = placeIn(keyIn(address));
    if (isLocalSession(address) || isListed(channels, person)) continue;
    const pairing = await read.get(pairingTable, person.connector_id, person.user_scope);
    if (pairing?.state !== "approved") await send(address, letInNoMore, { origin: "api" });
  }
}

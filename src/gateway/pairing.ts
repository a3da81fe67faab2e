import { hashOf } from "../policy/canonical-json.ts";
import type { Pairing } from "../schema/rows/channel-rows.ts";

/** How a stranger asks to be let in: with a code, which they tell the owner in some other way. */

export const hourMs = 3_600_000;
/** Of one connector; who comes when as many are open is not answered. */
export const mostOpenPairings = 3;

/** Without letters and digits that look alike. */
const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const codeLength = 8;

export function pairingCode(connector_id: string, user_scope: string, trace_id: string): string {
  const bytes = hashOf([connector_id, user_scope, trace_id]);
  const letters = Array.from({ length: codeLength }, (_, index) => {
    const byte = Number.parseInt(bytes.slice(index * 2, index * 2 + 2), 16);
    return alphabet[byte % alphabet.length];
  });
  return letters.join("");
}

/** One that ends in more than an hour is from a clock that was set back since: nobody waits for that. */
export function isOpenPairing({ state, expires_at }: Pairing, at: number): boolean {
  return state === "open" && at < expires_at && expires_at - at <= hourMs;
}

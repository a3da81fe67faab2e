import type { Sender } from "../../../../schema/inbound.ts";
import type { WireUser } from "./telegram-shapes.ts";

const mostName = 200;

/** Known by the number alone: a username changes hands. */
export function senderOf({ id, first_name, last_name, is_bot }: WireUser): Sender {
  const name = [first_name, last_name].filter(Boolean).join(" ").slice(0, mostName);
  return { id: String(id), name, is_bot };
}

import type { Admitted } from "../../../gateway/judged.ts";
import type { InboundPlace } from "../../../schema/inbound.ts";
import type { SendParams } from "../../../schema/effect.ts";
import { noticeTo } from "../sending/announce.ts";

/** A command, and where it was said. */
export type SaidCommand = {
  readonly place: InboundPlace;
  readonly conversation: Admitted["conversation"];
  readonly message_id: string;
  readonly command: { readonly name: string; readonly args: string };
};

/** Of the service itself; where others talk in between, it shows what it answers. */
export function answer(said: SaidCommand, text: string): SendParams {
  const { place, conversation, message_id } = said;
  const reply_to = conversation === "group" ? message_id : null;
  return noticeTo(place, { text, reply_to });
}

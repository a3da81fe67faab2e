import { groupMoveIn, groupMoveWord } from "../../../gateway/group-moves.ts";
import type { Doorway, Refusal } from "../../../gateway/judged.ts";
import type { SendParams } from "../../../schema/effect.ts";
import { dueIn } from "./announce.ts";
import { privateChats } from "../questions/question-places.ts";

/** Who may decide at a connector hears in private that a group of it has another number: in the group nobody is heard any more. */
export function tellMoved(doorway: Doorway, refusal: Refusal): readonly SendParams[] {
  const move = groupMoveIn(refusal);
  if (move === undefined) return [];
  const { connector_id, approvers } = doorway;
  const text = groupMoveWord(move, connector_id);
  return privateChats(doorway, approvers).map((scope) => ({
    ...dueIn(connector_id, scope, { kind: "notice", text }),
    trace: refusal.trace,
  }));
}

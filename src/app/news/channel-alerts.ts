import { idIn } from "../../actors/address.ts";
import { groupMoveIn, groupMoveWord } from "../../gateway/group-moves.ts";
import type { Refusal } from "../../gateway/judged.ts";
import type { JournalRow } from "../../engine/tables.ts";
import type { Pairing } from "../../schema/rows/channel-rows.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { Alert } from "../../schema/shown/observed.ts";
import { endedIn } from "../records/ended-in.ts";

/** What of connectors and deliveries a person should know of. */
export function channelAlert(step: JournalRow): Pick<Alert, "kind" | "message"> | undefined {
  if (step.outcome !== "handled") return undefined;
  if (step.machine === "delivery") return ofDelivery(step);
  return step.machine === "connector" ? ofConnector(step) : undefined;
}

const receivesNothing: readonly (string | null)[] = ["unauthorized", "stopped"];

function ofConnector(step: JournalRow): Pick<Alert, "kind" | "message"> | undefined {
  const { address, event_type, event, state_before, state_after } = step;
  if (event_type === "updates.judged") return ofMoves(step) ?? ofStrangers(step);
  const error = event["error"] as ErrorData | undefined;
  const hasChanged = state_after !== state_before && receivesNothing.includes(state_after);
  if (!hasChanged || error === undefined) return undefined;
  const message = `${idIn(address)} is ${state_after ?? ""}: ${error.message}`;
  return { kind: "connector.stopped", message };
}

function ofMoves({ address, event }: JournalRow): Pick<Alert, "kind" | "message"> | undefined {
  const refusals = (event["refusals"] ?? []) as unknown as readonly Refusal[];
  const [move] = refusals.flatMap((refusal) => groupMoveIn(refusal) ?? []);
  if (move === undefined) return undefined;
  return { kind: "group.moved", message: groupMoveWord(move, idIn(address)) };
}

function ofStrangers({ address, event }: JournalRow): Pick<Alert, "kind" | "message"> | undefined {
  const asking = (event["pairings"] ?? []) as unknown as readonly Pairing[];
  const [first] = asking.filter(({ state }) => state === "open");
  if (first === undefined) return undefined;
  const message = `${first.user_scope} asks to be let in at ${idIn(address)}: \`statehive pair list\``;
  return { kind: "pairing.requested", message };
}

function ofDelivery(step: JournalRow): Pick<Alert, "kind" | "message"> | undefined {
  const state = endedIn(step, "unknown", "dead");
  if (state === undefined || step.event_type === "delivery.cancel") return undefined;
  const error = step.event["error"] as ErrorData | undefined;
  const why = error === undefined ? "" : `: ${error.message}`;
  return {
    kind: "delivery.failed",
    message: `the delivery ${idIn(step.address)} is ${state}${why}`,
  };
}

import type { Lookup } from "../../engine/engine.ts";
import { type Admitted, type GatewayWord, type Judged } from "../../gateway/judged.ts";
import { judgeUpdates } from "../../gateway/judge-updates.ts";
import type { SendParams } from "../../schema/effect.ts";
import type { EventData } from "../../schema/event.ts";
import type { InboundUpdate } from "../../schema/inbound.ts";
import { dueIn } from "./announce.ts";
import { answerByText } from "./intake-answer.ts";
import { answerByTap } from "./intake-button.ts";
import { sayToAgent } from "./intake-message.ts";
import type { Intake, IntakeParts } from "./intake-parts.ts";

/** What comes in over a channel: judged by the gateway, and handed on, in the transaction that keeps how far was received. */

export function createIntake(parts: IntakeParts): Lookup {
  return (read, { connector_id, updates }, { at, seq }) => {
    const settings = parts.channels.settings(connector_id as string);
    if (settings === undefined) return [];
    const batch = { updates: updates as unknown as readonly InboundUpdate[], at };
    const judged = judgeUpdates(read, settings, batch);
    const intake = { ...parts, read, at, seq };
    return [
      { to: "self", event: recordOf(judged) },
      ...judged.words.map((word) => wordOf(connector_id as string, word)),
      ...judged.admitted.flatMap((admitted) => take(intake, admitted)),
    ];
  };
}

function recordOf({ updates, buckets, pairings, refusals }: Judged): EventData {
  return { type: "updates.judged", updates, buckets, pairings, refusals };
}

function wordOf(connectorId: string, { scope, text, reply_to, trace_id }: GatewayWord): SendParams {
  return { ...dueIn(connectorId, scope, { kind: "notice", text, reply_to }), trace: trace_id };
}

function take(intake: Intake, admitted: Admitted): readonly SendParams[] {
  const { what } = admitted;
  switch (what.kind) {
    case "message":
      return answerByText(intake, admitted, what.text) ?? sayToAgent(intake, admitted, what.text);
    case "button":
      return answerByTap(intake, admitted);
    default:
      return [];
  }
}

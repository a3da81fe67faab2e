import type { Lookup } from "../../../engine/engine.ts";
import { faultReason } from "../../../gateway/fault-reason.ts";
import type { Admitted, GatewayWord, Judged, Refusal } from "../../../gateway/judged.ts";
import { judgeUpdates } from "../../../gateway/judge-updates.ts";
import { messageIn } from "../../../gateway/standing.ts";
import type { SendParams } from "../../../schema/effect.ts";
import { isStoreFault } from "../../../schema/errors.ts";
import type { EventData } from "../../../schema/events/event.ts";
import type { InboundUpdate } from "../../../schema/inbound.ts";
import { dueIn, noticeTo } from "../sending/announce.ts";
import { type Brought, bringFiles, type Fetches } from "../files/bring-files.ts";
import { wholeAlbums } from "../files/whole-albums.ts";
import { answerByText } from "./intake-answer.ts";
import { answerByTap, lateTap } from "./intake-button.ts";
import { resendByTap } from "./intake-resend.ts";
import { obeyCommand } from "./intake-command.ts";
import { isHeardFirst, replaceSaid } from "./intake-edit.ts";
import { sayToAgent } from "./intake-message.ts";
import type { Intake, IntakeParts } from "./intake-parts.ts";
import { withoutRepeats } from "../questions/repost.ts";
import { stopRuns } from "./stop-runs.ts";
import { tellMoved } from "../sending/tell-moved.ts";
import { personName } from "../../../policy/person-name.ts";

/** What comes in over a channel: judged by the gateway, and handed on, in the transaction that keeps how far was received. */

export function createIntake(parts: IntakeParts): Lookup {
  return (read, { connector_id, updates }, { at, seq }) => {
    const settings = parts.channels.settings(connector_id as string);
    if (settings === undefined) return [];
    const brought = updates as unknown as readonly InboundUpdate[];
    const batch = { updates: wholeAlbums(read, connector_id as string, brought), at };
    const judged = judgeUpdates(read, settings, batch);
    const intake = { ...parts, read, at, seq };
    const fetches = { read, seq, begun: new Map<string, string>() };
    const taken = judged.admitted.map((admitted) => takeSafely(intake, fetches, admitted));
    const refusals = [...judged.refusals, ...taken.flatMap((one) => one.refusals)];
    return [
      ...judged.words.map((word) => wordOf(connector_id as string, word)),
      ...judged.refusals.flatMap((refusal) => tellMoved(settings.doorway, refusal)),
      ...withoutRepeats(taken.flatMap(({ sent }) => sent)),
      // The last of the answers, so that the rest stands in line behind what these lead to.
      { to: "self", event: recordOf({ ...judged, refusals }) },
    ];
  };
}

type Taken = { readonly sent: readonly SendParams[]; readonly refusals: readonly Refusal[] };

/** A fault of ours that one message meets keeps back that one alone, and its person hears of it; where the store fails, all of them
 *  come again. */
function takeSafely(intake: Intake, fetches: Fetches, admitted: Admitted): Taken {
  try {
    return { sent: take(intake, fetches, admitted), refusals: lateTap(intake, admitted) };
  } catch (thrown) {
    if (isStoreFault(thrown)) throw thrown;
    const { connector_id, user_scope, trace_id } = admitted.place;
    const by = personName(connector_id, user_scope);
    const told = { text: faultText, reply_to: messageIn(admitted.what) };
    return {
      sent: [noticeTo(admitted.place, told)],
      refusals: [{ by, reason: faultReason(thrown), count: 1, trace: trace_id }],
    };
  }
}

const faultText =
  "A fault inside statehive kept me from taking this message. My owner finds it in the audit.";

function recordOf({ updates, buckets, pairings, refusals, rest }: Judged): EventData {
  return { type: "updates.judged", updates, buckets, pairings, refusals, rest };
}

function wordOf(connectorId: string, { scope, text, reply_to, trace_id }: GatewayWord): SendParams {
  return { ...dueIn(connectorId, scope, { kind: "notice", text, reply_to }), trace: trace_id };
}

function take(intake: Intake, fetches: Fetches, admitted: Admitted): readonly SendParams[] {
  const { what } = admitted;
  switch (what.kind) {
    case "message":
      return takeMessage(intake, fetches, { ...admitted, what });
    case "edit":
      return isHeardFirst(intake, admitted, what)
        ? takeMessage(intake, fetches, { ...admitted, what: { ...what, kind: "message" } })
        : replaceSaid(intake, admitted, what);
    case "button":
      return resendByTap(intake, admitted) ?? answerByTap(intake, admitted);
    case "stop":
      return stopRuns(intake, admitted.place, "now").sent;
  }
}

function takeMessage(intake: Intake, fetches: Fetches, admitted: Brought): readonly SendParams[] {
  const { command, message_id, text } = admitted.what;
  if (command !== null) return obeyCommand(intake, { ...admitted, message_id, command });
  return (
    answerByText(intake, admitted, text) ??
    bringFiles(fetches, admitted) ??
    sayToAgent(intake, admitted, text)
  );
}

import type { Channels } from "../../actors/channel/channels.ts";
import { readTapData } from "../../actors/channel/question-buttons.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Log } from "../../ports/log.ts";
import { connectorUpdateTable, deliveryTable } from "../../schema/channel-rows.ts";
import { toErrorData } from "../../schema/errors.ts";
import type { InboundUpdate } from "../../schema/inbound.ts";
import { approvalTable } from "../../schema/permission-rows.ts";
import type { NewsBus, Stepped } from "../news/news.ts";
import { type Tap, type TapRows, tapWord } from "./tap-word.ts";

export type TapAnswersParts = {
  readonly bus: NewsBus;
  readonly engine: Pick<Engine, "read">;
  readonly channels: Channels;
  readonly log: Log;
};

/** Batches of updates that may wait; a button whose answer is lost stops to blink by itself. */
const capacity = 1_000;

/** Says on each tapped button what came of it, once, after that was committed. Best effort: the card itself tells too.
 *  @returns stops it */
export function startTapAnswers({ bus, engine, channels, log }: TapAnswersParts): () => void {
  const answer = async (tap: Tap): Promise<void> => {
    const { connectorId, update } = tap;
    const rows = await rowsOf(engine, tap);
    if (rows === undefined) return;
    await channels.get(connectorId)?.live.answerTap(update.what.tap_id, tapWord(tap, rows));
  };
  const hear = (news: Stepped): void => {
    for (const tap of tapsIn(news))
      answer(tap).catch((error: unknown) => {
        log("warn", "a tap was not answered", { error: toErrorData(error) });
      });
  };
  return bus.subscribe({
    name: "taps",
    capacity,
    wants: (news) => news.type === "actor.stepped" && news.step.machine === "connector",
    hear: (news) => {
      if (news.type === "actor.stepped") hear(news);
    },
  });
}

/** Those that this step has brought; both ways in are events of the connector. */
function tapsIn({ step, address }: Stepped): readonly Tap[] {
  const connectorId = address.slice("connector/".length);
  const once = new Map(updatesIn(step).map((update) => [update.update_id, update]));
  return [...once.values()].flatMap((update) => {
    const { what } = update;
    return what.kind === "button"
      ? [{ update: { ...update, what }, connectorId, at: step.at }]
      : [];
  });
}

function updatesIn({ event_type, event, outcome }: Stepped["step"]): readonly InboundUpdate[] {
  if (outcome !== "handled") return [];
  const brought = event as { updates?: InboundUpdate[]; output?: { updates?: InboundUpdate[] } };
  if (event_type === "updates.received") return brought.updates ?? [];
  if (event_type !== "xstate.done.actor.receiveUpdates") return [];
  return brought.output?.updates ?? [];
}

/** @returns undefined for an update that came, and was answered, before */
async function rowsOf(
  { read }: Pick<Engine, "read">,
  { connectorId, update, at }: Tap,
): Promise<TapRows | undefined> {
  const judged = await read.get(connectorUpdateTable, connectorId, update.update_id);
  if (judged === undefined || judged.at !== at) return undefined;
  const id = readTapData(update.what.data)?.approvalId ?? "";
  const approval = await read.get(approvalTable, id);
  const deliveries = await read.select(deliveryTable, { index: "by_about", equals: [id] });
  return { judged, approval, deliveries };
}

import type { Channels } from "../../actors/channel/channels.ts";
import { withThoseNamedStill } from "../../actors/channel/questions/named-still.ts";
import { readTapData } from "../../actors/channel/questions/question-buttons.ts";
import { readResendData } from "../../actors/channel/sending/undelivered.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Log } from "../../ports/log.ts";
import { connectorUpdateTable, deliveryTable } from "../../schema/rows/channel-rows.ts";
import { toErrorData } from "../../schema/errors.ts";
import type { InboundUpdate } from "../../schema/inbound.ts";
import { approvalTable } from "../../schema/rows/permission-rows.ts";
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
  const answered = new LastSeen(capacity);
  const answer = async (tap: Tap): Promise<void> => {
    const { connectorId, update } = tap;
    const rows = await rowsOf({ engine, channels }, tap);
    if (rows === undefined || !answered.isNew(`${connectorId} ${update.update_id}`)) return;
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

/** Of names, the newest. */
class LastSeen {
  private readonly names = new Set<string>();
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  isNew(name: string): boolean {
    if (this.names.has(name)) return false;
    this.names.add(name);
    const [oldest] = this.names;
    if (this.names.size > this.most && oldest !== undefined) this.names.delete(oldest);
    return true;
  }
}

/** Those that this step has brought; what is put off is brought again by a later step. */
function tapsIn({ step, address }: Stepped): readonly Tap[] {
  const connectorId = address.slice("connector/".length);
  return updatesIn(step).flatMap((update) => {
    const { what } = update;
    return what.kind === "button"
      ? [{ update: { ...update, what }, connectorId, at: step.at }]
      : [];
  });
}

function updatesIn({ event_type, event, outcome }: Stepped["step"]): readonly InboundUpdate[] {
  if (outcome !== "handled") return [];
  const brought = event as { updates?: InboundUpdate[]; output?: { updates?: InboundUpdate[] } };
  if (event_type === "xstate.done.actor.receiveUpdates") return brought.output?.updates ?? [];
  const isOurs = event_type === "updates.received" || event_type === "updates.deferred";
  return isOurs ? (brought.updates ?? []) : [];
}

/** @returns undefined for an update that was judged in another step */
async function rowsOf(
  { engine: { read }, channels }: Pick<TapAnswersParts, "engine" | "channels">,
  { connectorId, update, at }: Tap,
): Promise<TapRows | undefined> {
  const judged = await read.get(connectorUpdateTable, connectorId, update.update_id);
  if (judged === undefined || judged.at !== at) return undefined;
  const id = readTapData(update.what.data)?.approvalId ?? "";
  const put = await read.get(approvalTable, id);
  const approval = put === undefined ? undefined : withThoseNamedStill(channels, put);
  const deliveries = await read.select(deliveryTable, { index: "by_about", equals: [id] });
  const missed = await read.get(deliveryTable, readResendData(update.what.data) ?? "");
  return { judged, approval, deliveries, missed };
}

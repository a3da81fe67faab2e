import type { Engine } from "../../../engine/engine.ts";
import type { Channel } from "../../../ports/channel.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import { slotTable } from "../../../schema/rows/run-rows.ts";
import { toErrorData } from "../../../schema/errors.ts";
import type { News, NewsBus } from "../../news/news.ts";
import { LiveConversations } from "./live-conversations.ts";

/** What people in channels see while their agent works: their message was seen, somebody writes, what is written so far. It comes from
 *  the news, beside the main path: whatever becomes of it, the reply comes by its delivery. */

export type LiveRepliesParts = {
  readonly bus: NewsBus;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly channels: (connectorId: string) => Channel | undefined;
  readonly log: Log;
};

/** News that may wait; text of one run is joined. */
const capacity = 10_000;
const concerned: ReadonlySet<string> = new Set(["run", "tool_call", "connector", "delivery"]);

/** @returns ends it */
export function startLiveReplies({
  bus,
  engine,
  clock,
  channels,
  log,
}: LiveRepliesParts): () => void {
  const tried = (call: Promise<unknown>) =>
    void call.catch((thrown: unknown) =>
      log("debug", "not shown live", { ...toErrorData(thrown) }),
    );
  const conversations = new LiveConversations({ engine, clock, channels, tried });
  const known = resumeWorking(engine, conversations);
  tried(known);
  const leave = bus.subscribe({
    name: "live",
    capacity,
    wants,
    hear: async (news) => {
      await known;
      conversations.hear(news);
    },
    lagged: () => conversations.forget(),
  });
  return () => {
    leave();
    conversations.stop();
  };
}

function wants(news: News): boolean {
  if (news.type === "text.delta" || news.type === "text.reset") return true;
  if (news.type !== "actor.stepped" || news.step.outcome !== "handled") return false;
  const { machine, event_type } = news.step;
  return machine === "session" ? event_type === "actor.failed" : concerned.has(machine);
}

/** Runs that worked already go on without a step that says so. */
async function resumeWorking(engine: Engine, conversations: LiveConversations): Promise<void> {
  const holding = await engine.read.select(slotTable, { index: "by_state", equals: ["holding"] });
  for (const { address } of holding) {
    const run = await engine.get(address);
    if (run !== undefined) conversations.resume(address, run.state);
  }
}

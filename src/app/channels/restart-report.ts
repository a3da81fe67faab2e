import { dueIn } from "../../actors/channel/sending/announce.ts";
import type { Channels } from "../../actors/channel/channels.ts";
import { repostQuestions } from "../../actors/channel/questions/repost.ts";
import type { Engine } from "../../engine/engine.ts";
import { hashOf } from "../../policy/canonical-json.ts";
import type { Log } from "../../ports/log.ts";
import type { SendParams } from "../../schema/effect.ts";
import { toErrorData } from "../../schema/errors.ts";
import { approvalTable } from "../../schema/rows/permission-rows.ts";
import { type Interrupted, interruptedConversations } from "./interrupted.ts";

/** What people in channels are told when the service is back: after a crash, once in each conversation in which something was
 *  interrupted; always, the questions that still wait for them. What may not have arrived is told by its delivery itself. */

export type BegunService = {
  /** When this start began: later things were not interrupted. */
  readonly startedAt: number;
  /** Nobody had stopped the service before. */
  readonly wasCrash: boolean;
};

export type RestartReport = BegunService & {
  readonly engine: Pick<Engine, "read" | "send">;
  readonly channels: Pick<Channels, "get" | "settings">;
  readonly log: Log;
};

export async function tellRestart(report: RestartReport): Promise<void> {
  const { engine, channels, startedAt, wasCrash } = report;
  const interrupted = wasCrash ? await interruptedConversations(engine.read, startedAt) : [];
  for (const one of interrupted.filter(({ connector_id }) => channels.get(connector_id))) {
    const { connector_id, scope } = one;
    const notice = dueIn(connector_id, scope, { kind: "notice", text: restartText(one) });
    await say(report, notice, `restart ${connector_id} ${scope} ${hashOf(one.mark)}`);
  }
  for (const card of await repostQuestions(engine.read, channels, startedAt))
    if (await wasAskedBefore(report, card)) await say(report, card);
}

/** A question that a start itself led to has its card already. */
async function wasAskedBefore(
  { engine, startedAt }: RestartReport,
  { event }: SendParams,
): Promise<boolean> {
  const about = event["about"];
  const approval = await engine.read.get(approvalTable, typeof about === "string" ? about : "");
  return approval !== undefined && approval.created_at < startedAt;
}

/** Whom it cannot be said to keeps nobody else from hearing it. */
async function say(
  { engine, log }: RestartReport,
  { to, event }: SendParams,
  idempotencyKey?: string,
): Promise<void> {
  try {
    const key = idempotencyKey === undefined ? {} : { idempotencyKey };
    await engine.send(to, event, { origin: "api", ...key });
  } catch (thrown) {
    log("warn", "people could not be told of the restart", { to, error: toErrorData(thrown) });
  }
}

const back = "I was interrupted by a fault and am back.";

function restartText({ goesOn, waits, queued }: Interrupted): string {
  return [
    back,
    ...list(goesOn, "I go on with", "requests"),
    ...list(waits, "An answer to my question is still needed for", "requests"),
    ...(queued === 0 ? [] : [queuedText(queued)]),
  ].join("\n");
}

function list(texts: readonly string[], what: string, many: string): string[] {
  const [only] = texts;
  if (only === undefined) return [];
  return [texts.length === 1 ? `${what}: “${only}”` : `${what} ${texts.length} ${many}.`];
}

function queuedText(queued: number): string {
  return queued === 1
    ? "One more message waits for its turn."
    : `${queued} more messages wait for their turn.`;
}

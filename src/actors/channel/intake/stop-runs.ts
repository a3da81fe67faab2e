import type { InboundPlace } from "../../../schema/inbound.ts";
import type { SendParams } from "../../../schema/effect.ts";
import { agentsHere } from "./agents-here.ts";
import { conversationNow } from "./conversation-now.ts";
import type { Intake } from "./intake-parts.ts";

export type Stopped = {
  readonly sent: readonly SendParams[];
  /** Runs that are to end. */
  readonly runs: number;
  /** Messages behind them, which have their turn then. */
  readonly queued: number;
};

/** What works for this person in this conversation is told to end, whichever agent it is.
 *  @param when `step`: after the step that it is at */
export function stopRuns(intake: Intake, place: InboundPlace, when: "now" | "step"): Stopped {
  const working = agentsHere(intake, place)
    .map((agent_id) => conversationNow(intake.read, { ...place, agent_id }))
    .filter(({ run }) => run !== undefined);
  const event =
    when === "step"
      ? { type: "run.stop_after_step" }
      : { type: "run.cancel", reason: "a person stopped the run" };
  return {
    sent: working.flatMap(({ run }) => (run === undefined ? [] : [{ to: run.address, event }])),
    runs: working.length,
    queued: working.reduce((sum, { queued }) => sum + queued, 0),
  };
}

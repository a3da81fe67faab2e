import type {
  ChangeMemoryOutput,
  ProposeConsolidationOutput,
  SurveyMemoryOutput,
} from "../../schema/activities.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { EventOf } from "../../schema/events/events.ts";

export type ConsolidationInput = {
  readonly partition: string;
  /** `schedule:consolidate`, `cli`. */
  readonly by: string;
  readonly is_dry_run?: boolean;
  /** Nobody above is to be told. */
  readonly is_by_hand?: boolean;
};

export type ConsolidationEvent = EventOf<"consolidation.cancel">;

export type AnyConsolidationEvent =
  | ConsolidationEvent
  | { readonly type: "xstate.done.actor.surveyMemory"; readonly output: SurveyMemoryOutput }
  | {
      readonly type: "xstate.done.actor.proposeConsolidation";
      readonly output: ProposeConsolidationOutput;
    }
  | { readonly type: "xstate.done.actor.changeMemory"; readonly output: ChangeMemoryOutput }
  | {
      readonly type:
        | "xstate.error.actor.surveyMemory"
        | "xstate.error.actor.proposeConsolidation"
        | "xstate.error.actor.changeMemory";
      readonly error: ErrorData;
    };

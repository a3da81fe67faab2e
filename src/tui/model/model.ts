import type { LogRecord } from "../../schema/shown/log-record.ts";
import type { SidecarEvent } from "../../schema/shown/news.ts";
import type {
  ActorStep,
  ServiceStatus,
  ShownApproval,
  ShownRun,
} from "../../schema/socket/protocol.ts";
import type { ShownSession } from "../../schema/shown/shown.ts";
import { Happenings } from "./happenings.ts";
import { LivingActors } from "./living-actors.ts";
import { Recent } from "./recent.ts";
import { Traffic } from "./traffic.ts";

/** What is known of the service at this moment; panes draw from it and never wait. */
export type Model = {
  /** Since when there is no service; null while it is attached. */
  detachedAt: number | null;
  /** Why it cannot be attached again. */
  fault: string | null;
  status: ServiceStatus | undefined;
  readonly actors: LivingActors;
  readonly steps: Recent<ActorStep>;
  /** Steps that were left out because they came too fast. */
  droppedSteps: number;
  readonly events: Recent<SidecarEvent>;
  /** Both as one list. */
  readonly happenings: Happenings;
  readonly traffic: Traffic;
  readonly logs: Recent<LogRecord>;
  /** Those that wait, oldest first. */
  approvals: readonly ShownApproval[];
  /** So many of them are asked for. */
  approvalLimit: number;
  /** Newest first. */
  runs: readonly ShownRun[];
  sessions: readonly ShownSession[];
};

export function createModel(): Model {
  const steps = new Recent<ActorStep>(2_000);
  const events = new Recent<SidecarEvent>(2_000);
  return {
    detachedAt: null,
    fault: null,
    status: undefined,
    actors: new LivingActors(),
    steps,
    droppedSteps: 0,
    events,
    happenings: new Happenings(steps, events),
    traffic: new Traffic(),
    logs: new Recent(10_000),
    approvals: [],
    approvalLimit: 200,
    runs: [],
    sessions: [],
  };
}

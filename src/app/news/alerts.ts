import type { Log } from "../../ports/log.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { NeedHumanApproval, TaskFailed } from "../../schema/shown/news.ts";
import type { Alert } from "../../schema/shown/observed.ts";
import { iso } from "../records/shown.ts";
import { channelAlert } from "./channel-alerts.ts";
import { memoryAlert } from "./memory-alerts.ts";
import type { EmbedderHealthChanged, EngineHealthChanged, News, Stepped } from "./news.ts";

const kept = 20;

/** What a person should know of: the newest are kept for `status`. */
export class Alerts {
  private readonly clock: Clock;
  private readonly log: Log;
  private alerts: readonly Alert[] = [];

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.clock = clock;
    this.log = log;
  }

  /** Newest first. */
  list(): readonly Alert[] {
    return this.alerts;
  }

  hear(news: News): void {
    switch (news.type) {
      case "NeedHumanApproval":
        return this.keep(ofApproval(news));
      case "TaskFailed":
        return news.status === "failed" ? this.keep(ofTask(news)) : undefined;
      case "engine.health":
        return this.hearHealth(news);
      case "memory.embedder":
        return this.hearEmbedder(news);
      case "actor.stepped":
        return this.hearStep(news);
      default:
        return undefined;
    }
  }

  private hearHealth({ degraded }: EngineHealthChanged): void {
    const at = iso(this.clock.now());
    if (degraded === null) {
      this.keep({
        ...nobody,
        at,
        kind: "engine.healed",
        message: "The database takes writes again.",
      });
    } else this.raise({ ...nobody, at, kind: "engine.degraded", message: degraded.message });
  }

  private hearEmbedder({ trouble }: EmbedderHealthChanged): void {
    const at = iso(this.clock.now());
    if (trouble === null)
      this.keep({ ...nobody, at, kind: "embedder.healed", message: "Memories get vectors again." });
    else {
      const message = `memories are found by words alone, their vectors are not made: ${trouble}`;
      this.raise({ ...nobody, at, kind: "embedder.silent", message });
    }
  }

  /** Nobody else says of these that they are alarming. */
  private hearStep({ step }: Stepped): void {
    const { at, address, machine, event, event_type, trace } = step;
    const error = event["error"] as ErrorData | null | undefined;
    const known = { ...nobody, at: iso(at), trace_id: trace };
    const ofPart = channelAlert(step) ?? memoryAlert(step);
    if (ofPart !== undefined) this.raise({ ...known, ...ofPart });
    if (error?.code === "activity.crash_loop") {
      this.raise({ ...known, kind: "crash_loop", message: `${address}: ${error.message}` });
    } else if (event_type === "actor.failed" && machine !== "session") {
      const failed = event["address"] as string;
      const message = `${failed} was set aside: ${error?.message ?? "it failed"}`;
      this.raise({ ...known, kind: "actor.set_aside", message });
    }
  }

  private raise(alert: Alert): void {
    const { kind, message, trace_id } = alert;
    this.log("warn", `alert: ${kind}`, { alert: message, trace_id });
    this.keep(alert);
  }

  private keep(alert: Alert): void {
    this.alerts = [alert, ...this.alerts].slice(0, kept);
  }
}

const nobody = { trace_id: null, run_id: null, approval_id: null };

function ofApproval(event: NeedHumanApproval): Alert {
  const { at, trace_id, run_id, approval_id, kind, tool, summary } = event;
  const asker = kind === "budget" ? "" : ` (${tool})`;
  const message = `${approval_id} waits for a decision: ${summary}${asker}`;
  return { at, kind: "approval.needed", message, trace_id, run_id, approval_id };
}

function ofTask({ at, trace_id, run_id, error }: TaskFailed): Alert {
  const why = error === null ? "" : `: ${error.message}`;
  const message = `${run_id ?? "a run"} failed${why}`;
  return { at, kind: "task.failed", message, trace_id, run_id, approval_id: null };
}

import { storedContext } from "../../engine/kernel/actor-state.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log, LogLevel } from "../../ports/log.ts";
import type { JsonObject } from "../../schema/json.ts";
import type { SidecarEvent } from "../../schema/shown/news.ts";
import { Alerts } from "./alerts.ts";
import { channelAlert } from "./channel-alerts.ts";
import { EventStream } from "./event-stream.ts";
import { Metrics } from "./metrics.ts";
import { isSidecarEvent, type News, type NewsBus, type Stepped } from "./news.ts";

/** What listens in every service. */
export type Sidecar = {
  readonly stream: EventStream;
  readonly metrics: Metrics;
  readonly alerts: Alerts;
};

export type SidecarOptions = {
  readonly bus: NewsBus;
  readonly log: Log;
  readonly clock: Clock;
  readonly level: LogLevel;
};

const capacity = 10_000;

export function attachSidecar({ bus, log, clock, level }: SidecarOptions): Sidecar {
  const [stream, metrics, alerts] = [new EventStream(), new Metrics(), new Alerts({ clock, log })];
  const onEvents = (name: string, hear: (event: SidecarEvent) => void) =>
    bus.subscribe({
      name,
      capacity,
      wants: isSidecarEvent,
      hear: (news) => (isSidecarEvent(news) ? hear(news) : undefined),
    });
  onEvents("log", (event) => logEvent(log, event));
  onEvents("audit", (event) => stream.hear(event));
  onEvents("metrics", (event) => metrics.hear(event));
  bus.subscribe({ name: "alerts", capacity, wants: mayAlert, hear: (news) => alerts.hear(news) });
  if (level === "debug") logSteps(bus, log);
  return { stream, metrics, alerts };
}

/** Where it came from stands in the session's row. */
function logEvent(log: Log, event: SidecarEvent): void {
  const { type, at: _at, ...known } = event;
  const { channel_type: _type, connector_id: _id, ...rest } = known;
  const { conversation_scope: _scope, user_scope: _user, ...fields } = rest;
  const isAlert =
    type === "NeedHumanApproval" || (event.type === "TaskFailed" && event.status === "failed");
  log(isAlert ? "warn" : "info", type, fields);
}

/** Most steps alarm nobody: they need no place in the queue. */
function mayAlert(news: News): boolean {
  if (news.type !== "actor.stepped") return news.type !== "text.delta";
  return "error" in news.step.event || channelAlert(news.step) !== undefined;
}

function logSteps(bus: NewsBus, log: Log): void {
  bus.subscribe({
    name: "steps",
    capacity,
    wants: (news) => news.type === "actor.stepped",
    hear: (news) => (news.type === "actor.stepped" ? logStep(log, news) : undefined),
  });
}

function logStep(log: Log, { step, actor }: Stepped): void {
  const { seq, address, event_type, outcome, reason, state_before, state_after, trace } = step;
  const ids = actor === undefined ? {} : idsOf(storedContext(actor.snapshot));
  const change = { seq, address, outcome, reason, state_before, state_after };
  log("debug", event_type, { trace_id: trace, ...ids, ...change });
}

function idsOf({ run_id, session_id, agent_id }: JsonObject): JsonObject {
  const known = Object.entries({ run_id, session_id, agent_id });
  return Object.fromEntries(known.filter(([, id]) => typeof id === "string")) as JsonObject;
}

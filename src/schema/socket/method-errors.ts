import type { ErrorCode } from "../errors.ts";
import type { Method } from "./protocol.ts";

/** The codes with which each method refuses. docs/socket.md is made from it, and the tests hold what is answered to it. */

/** That any method may answer. */
export const commonErrors = [
  "usage",
  "internal",
  "engine.closed",
  "store.unavailable",
  "store.corrupt",
] as const satisfies readonly ErrorCode[];

const unheard = ["actor.not_found", "actor.ended", "actor.quarantined", "mailbox.full"] as const;
const answering = [
  ...unheard,
  "approval.not_found",
  "approval.already_decided",
  "approval.changed",
  "approval.ended",
  "approval.not_approver",
  "approval.wrong_answer",
] as const;
const sendingMessage = [
  "agent.not_found",
  "agent.disabled",
  "actor.quarantined",
  "event.invalid",
  "event.not_accepted",
  "mailbox.full",
  "service.stopping",
  "session.queue_full",
] as const;

const unread = ["memory.refused", "memory.unavailable"] as const;

const ownErrors: { readonly [M in Method]?: readonly ErrorCode[] } = {
  "backup": ["audit.broken", "file.not_found", "file.refused", "store.newer"],
  "config.reload": ["config.invalid", "home.invalid"],
  "agents.show": ["agent.not_found"],
  "machines.show": ["machine.not_found"],
  "actor.get": ["actor.not_found"],
  "actor.send": [
    ...unheard,
    "event.invalid",
    "event.not_accepted",
    "event.not_pokeable",
    "event.unknown",
    "event.wrong_origin",
    "service.stopping",
  ],
  "chat.agent": ["agent.not_found", "agent.disabled"],
  "chat.send": sendingMessage,
  "chat.follow": ["actor.not_found"],
  "approvals.show": ["approval.not_found"],
  "approvals.decide": answering,
  "approvals.answer": answering,
  "approvals.step": ["approval.not_found"],
  "approvals.decide_step": ["approval.not_found", "approval.changed", "approval.too_long"],
  "grants.revoke": [...unheard, "event.not_accepted", "grant.not_found"],
  "marks.clear": ["agent.not_found", "event.not_accepted", "mark.not_found"],
  "runs.show": ["actor.not_found"],
  "runs.cancel": [...unheard, "event.not_accepted"],
  "runs.replay": ["actor.not_found"],
  "runs.moment": ["actor.not_found", "step.not_found"],
  "runs.fork": ["actor.not_found", "step.not_found", ...sendingMessage],
  "sessions.show": ["session.not_found"],
  "sessions.compact": [...unheard, "event.not_accepted", "session.not_found"],
  "sessions.reset": [...unheard, "event.not_accepted", "session.not_found"],
  "tasks.show": ["actor.not_found"],
  "tasks.cancel": [...unheard, "event.not_accepted"],
  "connectors.status": ["connector.not_found"],
  "connectors.start": [...unheard, "connector.not_found", "event.not_accepted"],
  "connectors.stop": [...unheard, "connector.not_found", "event.not_accepted"],
  "pairings.list": ["connector.not_found"],
  "pairings.approve": [
    ...unheard,
    "connector.not_found",
    "event.not_accepted",
    "pairing.not_found",
  ],
  "pairings.revoke": [...unheard, "connector.not_found", "event.not_accepted", "pairing.not_found"],
  "deliveries.show": ["delivery.not_found"],
  "deliveries.resend": [
    ...unheard,
    "delivery.not_found",
    "delivery.not_resendable",
    "event.not_accepted",
  ],
  "deliveries.cancel": [...unheard, "delivery.not_found", "event.not_accepted"],
  "schedules.show": ["schedule.not_found"],
  "schedules.run": [...unheard, "event.not_accepted", "schedule.not_found", "service.stopping"],
  "schedules.pause": [...unheard, "event.not_accepted", "schedule.not_found"],
  "schedules.resume": [...unheard, "event.not_accepted", "schedule.not_found"],
  "schedules.remove": [
    ...unheard,
    "event.not_accepted",
    "schedule.configured",
    "schedule.not_found",
  ],
  "memory.search": ["agent.not_found", "index.closed", "index.unavailable", ...unread],
  "memory.files": unread,
  "memory.show": ["memory.not_found", ...unread],
  "memory.diff": ["memory.not_found", ...unread],
  "memory.stats": unread,
  "memory.restore": ["memory.changed", "memory.not_found", ...unread],
  "memory.forget": ["memory.changed", "memory.not_found", ...unread],
  "memory.consolidate": ["memory.not_found", ...unread],
  "memory.reindex": ["index.closed", "index.unavailable", ...unread],
  "logs.tail": ["home.invalid"],
};

/** Besides those that any method may answer. */
export function errorsOf(method: Method): readonly ErrorCode[] {
  return ownErrors[method] ?? [];
}

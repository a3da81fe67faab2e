import type { AgentError, ErrorCode } from "../schema/errors.ts";

/** What a script can branch on without reading a word. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notRunning: 3,
  notAnswering: 4,
  denied: 5,
  notFound: 6,
  internal: 70,
  tryAgain: 75,
  configInvalid: 78,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const byCode: { readonly [code in ErrorCode]?: number } = {
  "usage": exitCodes.usage,
  "service.not_running": exitCodes.notRunning,
  "service.not_answering": exitCodes.notAnswering,
  "service.other_version": exitCodes.notAnswering,
  "permission.denied": exitCodes.denied,
  "permission.expired": exitCodes.denied,
  "agent.disabled": exitCodes.denied,
  "actor.not_found": exitCodes.notFound,
  "agent.not_found": exitCodes.notFound,
  "approval.not_found": exitCodes.notFound,
  "connector.not_found": exitCodes.notFound,
  "delivery.not_found": exitCodes.notFound,
  "file.not_found": exitCodes.notFound,
  "grant.not_found": exitCodes.notFound,
  "mark.not_found": exitCodes.notFound,
  "machine.not_found": exitCodes.notFound,
  "memory.not_found": exitCodes.notFound,
  "model.not_found": exitCodes.notFound,
  "pairing.not_found": exitCodes.notFound,
  "schedule.not_found": exitCodes.notFound,
  "session.not_found": exitCodes.notFound,
  "step.not_found": exitCodes.notFound,
  "tool.not_found": exitCodes.notFound,
  "event.not_accepted": exitCodes.failed,
  "event.not_pokeable": exitCodes.failed,
  "internal": exitCodes.internal,
  "engine.closed": exitCodes.tryAgain,
  "engine.in_use": exitCodes.tryAgain,
  "mailbox.full": exitCodes.tryAgain,
  "session.queue_full": exitCodes.tryAgain,
  "config.invalid": exitCodes.configInvalid,
  "home.invalid": exitCodes.configInvalid,
  "run.cancelled": exitCodes.interrupted,
};

/** A service that died while it started hands on the code it died with. */
export function exitCodeOf({ code, retryable, details }: AgentError): number {
  const handedOn = details?.["exit_code"];
  if (code === "service.start_failed" && typeof handedOn === "number") return handedOn;
  return byCode[code] ?? (retryable ? exitCodes.tryAgain : exitCodes.failed);
}

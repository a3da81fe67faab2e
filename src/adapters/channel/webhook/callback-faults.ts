import { errnoOf } from "../../../schema/errno.ts";
import { AgentError, type AgentErrorOptions, type ErrorCode } from "../../../schema/errors.ts";

/** What went wrong with a call, in the channel port's codes. What is posted has a key, so that nothing is lost by posting it again
 *  after an answer that did not come. Nothing of an answer's text is kept: it is foreign, and may repeat the token. */

const longestWaitMs = 3_600_000;
const retryable: ReadonlySet<ErrorCode> = new Set(["channel.rate_limited", "channel.unreachable"]);

export type CallbackAnswer = {
  readonly status: number;
  /** Empty: it says nothing. */
  readonly retryAfter: string;
};

export function answerFault({ status, retryAfter }: CallbackAnswer): AgentError {
  const code = codeOf(status);
  return fault(code, `The callback answered ${status}${meaningOf(status)}.`, {
    ...waitOf(code, retryAfter),
    details: { status },
  });
}

export function connectionFault(thrown: unknown): AgentError {
  const isLate = thrown instanceof Error && thrown.name === "TimeoutError";
  const reason = isLate ? "no answer in time" : (errnoOf(thrown) ?? "the connection failed");
  return fault("channel.unreachable", `The callback could not be reached: ${reason}.`);
}

function fault(code: ErrorCode, message: string, options: AgentErrorOptions = {}): AgentError {
  return new AgentError(code, message, { retryable: retryable.has(code), ...options });
}

function codeOf(status: number): ErrorCode {
  if (status === 401 || status === 403) return "channel.unauthorized";
  if (status === 429) return "channel.rate_limited";
  if (status === 408 || status === 425 || status >= 500) return "channel.unreachable";
  return "channel.refused";
}

function meaningOf(status: number): string {
  if (status === 401 || status === 403) return ": it does not take the token callback_secret";
  return status >= 300 && status <= 399 ? ", and no redirect is followed" : "";
}

function waitOf(code: ErrorCode, retryAfter: string): Pick<AgentErrorOptions, "retryAfterMs"> {
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : Number.NaN;
  if (!retryable.has(code) || Number.isNaN(seconds)) return {};
  return { retryAfterMs: Math.min(seconds * 1_000, longestWaitMs) };
}

import { AgentError, type AgentErrorOptions, type ErrorCode } from "../../schema/errors.ts";
import type { JsonObject } from "../../schema/json.ts";
import type { Usage } from "../../schema/llm.ts";
import { parseRetryAfter } from "./retry-after.ts";

/** Anthropic's and the SDK's errors as statehive's. Nothing of the request, its headers or its key is kept. */

type ApiFailure = {
  readonly name?: string;
  readonly message?: string;
  readonly status?: number;
  readonly headers?: Headers;
  readonly error?: { readonly error?: { readonly type?: string; readonly message?: string } };
  readonly code?: string;
  readonly cause?: ApiFailure;
};

const maxMessageChars = 500;
/** "prompt is too long: 208310 tokens > 200000 maximum", "input length and `max_tokens` exceed context limit: 178959 + 64000 >
 *  200000, …", and what compatible servers say. */
const tooLong =
  /prompt is too long|exceed(s|ed)? (the )?(context|maximum allowed number of bytes)|context (window|length)/i;
const lengths = /(\d+)(?: tokens)?(?: \+ (\d+))? > (\d+)/;

/** The API refuses a thought that it did not have in this place before: one of another model, or after an earlier part of
 *  the conversation has changed. */
const thoughtRefused =
  /`?signature`? in `?thinking`? block|thinking`? blocks? .*cannot be modified/i;

export function isThoughtRefused(error: AgentError): boolean {
  return error.code === "model.invalid_request" && thoughtRefused.test(error.message);
}

function codeOfStatus(status: number, message: string): ErrorCode {
  if (status === 401 || status === 403) return "model.auth";
  if (status === 408) return "model.timeout";
  if (status === 413) return "model.context_too_long";
  if (status === 429) return "model.rate_limited";
  if (status >= 500) return "model.overloaded";
  if (status === 400 && tooLong.test(message)) return "model.context_too_long";
  return status >= 300 ? "model.invalid_request" : "model.bad_response";
}

const statusOfType: Readonly<Record<string, number>> = {
  authentication_error: 401,
  billing_error: 402,
  invalid_request_error: 400,
  not_found_error: 404,
  permission_error: 403,
  rate_limit_error: 429,
  request_too_large: 413,
};

const retryableCodes: ReadonlySet<ErrorCode> = new Set([
  "model.rate_limited",
  "model.overloaded",
  "model.timeout",
  "model.unreachable",
]);

const hints: Partial<Record<ErrorCode, string>> = {
  "model.auth": "Check the provider's api_key in config/providers.d.",
  "model.unreachable": "Check the network and the provider's base_url.",
  "model.invalid_request": "Check the model's name and the provider's base_url.",
};

function failure(code: ErrorCode, message: string, options: AgentErrorOptions = {}): AgentError {
  const hint = hints[code];
  return new AgentError(code, message.slice(0, maxMessageChars), {
    retryable: retryableCodes.has(code),
    ...(hint === undefined ? {} : { hint }),
    ...options,
  });
}

/** An error that arrives inside a stream, after status 200. What is not known to be the caller's fault is the provider's. */
export function errorOfType(type: string | undefined, message: string | undefined): AgentError {
  const words = message ?? "The provider sent an error without a message.";
  return failure(
    codeOfStatus(statusOfType[type ?? ""] ?? 529, words),
    `${type ?? "error"}: ${words}`,
  );
}

/** How long the prompt was and may be, in tokens, where the API says it. */
function lengthsIn(code: ErrorCode, message: string): JsonObject {
  const [, prompt, room = "0", limit] = lengths.exec(message) ?? [];
  if (code !== "model.context_too_long" || prompt === undefined || limit === undefined) return {};
  return { prompt_tokens: Number(prompt), max_prompt_tokens: Number(limit) - Number(room) };
}

function errorOfStatus(thrown: ApiFailure, status: number): AgentError {
  const words = thrown.error?.error?.message ?? thrown.message ?? "no message";
  const requestId = thrown.headers?.get("request-id");
  const retryAfterMs = parseRetryAfter(thrown.headers, Date.now());
  const code = codeOfStatus(status, words);
  return failure(code, `The provider answered ${status}: ${words}`, {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    details: {
      status,
      ...(requestId ? { request_id: requestId } : {}),
      ...lengthsIn(code, words),
    },
  });
}

function rootCause(thrown: ApiFailure, depth = 0): ApiFailure {
  return thrown.cause === undefined || depth === 5 ? thrown : rootCause(thrown.cause, depth + 1);
}

function errorOfConnection(thrown: ApiFailure): AgentError {
  const cause = rootCause(thrown);
  return failure(
    "model.unreachable",
    `The provider could not be reached: ${cause.code ?? cause.message ?? "no reason given"}.`,
  );
}

export function toModelError(thrown: unknown): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const known = thrown as ApiFailure;
  if (typeof known.status === "number") return errorOfStatus(known, known.status);
  if (known.name === "APIConnectionTimeoutError")
    return failure("model.timeout", "The provider did not answer in time.");
  if (known.name === "APIConnectionError") return errorOfConnection(known);
  return failure(
    "model.invalid_request",
    `The request could not be made: ${known.message ?? String(thrown)}`,
  );
}

export function timedOut(limitMs: number): AgentError {
  return failure(
    "model.timeout",
    `The provider was silent for longer than ${limitMs} ms, or took too long in all.`,
  );
}

export function aborted(): AgentError {
  return new AgentError("activity.aborted", "The call to the model was stopped.");
}

/** The same error with what the provider had counted before it, and will ask money for. */
export function withUsage(error: AgentError, usage: Usage): AgentError {
  const isNothing = usage.input_tokens + usage.output_tokens === 0;
  return isNothing ? error : error.withDetails({ usage });
}

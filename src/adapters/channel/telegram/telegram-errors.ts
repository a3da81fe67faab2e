import { NetworkError, ParseError, TelegramApiError, TimeoutError } from "node-telegram-bot-api";
import { AgentError, type AgentErrorOptions, type ErrorCode } from "../../../schema/errors.ts";

/** What went wrong with Telegram, in the channel's codes. Neither the token nor the error that names it is kept. */

export type Asked = {
  readonly method: string;
  /** Whether it may not be said twice: then an answer that is lost leaves open whether it arrived. */
  readonly isOnce: boolean;
  readonly signal: AbortSignal;
};

const longestWaitMs = 24 * 60 * 60 * 1000;
const longestMessage = 500;

export function toChannelError(thrown: unknown, asked: Asked): AgentError {
  if (asked.signal.aborted)
    return new AgentError("activity.aborted", `Telegram's ${asked.method} was stopped.`);
  if (thrown instanceof AgentError) return thrown;
  if (thrown instanceof TelegramApiError && Number.isInteger(thrown.errorCode))
    return answered(thrown, asked);
  return unanswered(thrown, asked);
}

function answered(error: TelegramApiError, asked: Asked) {
  const { errorCode, description, retryAfter, migrateToChatId } = error;
  if (Number.isSafeInteger(migrateToChatId)) return moved(String(migrateToChatId));
  const code = codeOfAnswer(errorCode);
  const words = `Telegram answered ${errorCode} to ${asked.method}: ${description}`;
  const options = code === "channel.rate_limited" ? { retryAfterMs: waitMs(retryAfter) } : {};
  const isGone = code === "channel.refused" && gone.test(description);
  return failure(code, words, { ...options, ...(isGone ? { details: { is_gone: true } } : {}) });
}

/** The same, to be asked again later, where it was refused for good. */
export function asPassing(error: unknown): unknown {
  if (!(error instanceof AgentError) || error.code !== "channel.refused") return error;
  return failure("channel.unreachable", error.message);
}

/** The group has become a supergroup, which is another chat. */
function moved(to: string): AgentError {
  const words = `The group has the number ${to} now, which its connector's \`groups\` do not name.`;
  return failure("channel.moved", words, { details: { moved_to: to } });
}

/** @returns the number that the group has now */
export function movedTo(error: unknown): string | undefined {
  if (!(error instanceof AgentError) || error.code !== "channel.moved") return undefined;
  const to = error.details?.["moved_to"];
  return typeof to === "string" ? to : undefined;
}

/** Of a message that is there no more, or that the bot may change no more. */
const gone = /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/i;

/** Telegram answers 404 to a token that has not the form of one. */
function codeOfAnswer(status: number): ErrorCode {
  if (status === 401 || status === 404) return "channel.unauthorized";
  if (status === 409) return "channel.conflict";
  if (status === 429) return "channel.rate_limited";
  return status >= 500 ? "channel.unreachable" : "channel.refused";
}

function waitMs(seconds: unknown): number {
  const isNumber = typeof seconds === "number" && seconds > 0;
  return isNumber ? Math.min(Math.ceil(seconds * 1000), longestWaitMs) : 1000;
}

/** No answer of Telegram's came, but perhaps a proxy's page. */
function unanswered(thrown: unknown, asked: Asked): AgentError {
  const fault = unsentFault(thrown);
  if (fault !== undefined)
    return failure("channel.unreachable", `Telegram could not be reached: ${fault}.`);
  const words = `No answer of Telegram's came to ${asked.method}: ${reasonOf(thrown)}.`;
  return failure(asked.isOnce ? "channel.answer_lost" : "channel.unreachable", words);
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof TimeoutError) return "it took too long";
  if (thrown instanceof ParseError) return "something else answered, with a page that is not JSON";
  if (!(thrown instanceof NetworkError)) return "something else answered";
  const code = codesOf(thrown).at(-1);
  if (code !== undefined) return code;
  return thrown.cause === undefined ? "a server on the way failed" : "the connection broke off";
}

type Link = {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
};

/** The error, what caused it, and what was tried; outermost first. */
function linksOf(thrown: unknown, depth = 0): readonly Link[] {
  if (typeof thrown !== "object" || thrown === null || depth > 8) return [];
  const link = thrown as Link;
  const tried = Array.isArray(link.errors) ? link.errors.slice(0, 8) : [];
  return [link, ...[link.cause, ...tried].flatMap((one) => linksOf(one, depth + 1))];
}

/** Of what lies below the library's own error. */
function codesOf(thrown: unknown): string[] {
  const codes = linksOf(thrown)
    .slice(1)
    .map(({ code }) => code);
  return codes.filter(
    (code): code is string => typeof code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(code),
  );
}

/** Of failures that come before anything is sent. */
const beforeSending =
  /^(?:UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_ALTNAME_INVALID|ERR_SSL_WRONG_VERSION_NUMBER|CERT_\w+|UNABLE_TO_\w+|\w*SELF_SIGNED_CERT\w*)$/;

/** Of a connection that was kept open and that the other side has reset before the request was written. */
const atWriting: ReadonlySet<unknown> = new Set(["ECONNRESET", "EPIPE"]);

function isBeforeSending({ code, syscall }: Link): boolean {
  if (syscall === "connect" || syscall === "getaddrinfo") return true;
  if (syscall === "write") return atWriting.has(code);
  return typeof code === "string" && beforeSending.test(code);
}

/** What kept the request from leaving as a whole, or undefined once it may have. */
function unsentFault(thrown: unknown): string | undefined {
  const early = linksOf(thrown).find(isBeforeSending);
  return early === undefined ? undefined : String(early.code);
}

/** It says already what it is to say. */
export function isNotModified({ code, message }: AgentError): boolean {
  return code === "channel.refused" && /message is not modified/i.test(message);
}

const hints: Partial<Record<ErrorCode, string>> = {
  "channel.unauthorized": "Check the connector's token, which @BotFather shows, and its api_root.",
  "channel.conflict": "End the other service that receives with this token, or revoke the token.",
  "channel.moved": "Put that number in the place of the old one, then `statehive config reload`.",
  "channel.unreachable": "Check the network and the connector's api_root.",
};

const retryable: ReadonlySet<ErrorCode> = new Set([
  "channel.rate_limited",
  "channel.unreachable",
  "channel.moved",
]);

export function failure(
  code: ErrorCode,
  message: string,
  options: AgentErrorOptions = {},
): AgentError {
  const hint = hints[code];
  return new AgentError(code, message, {
    retryable: retryable.has(code),
    ...(hint === undefined ? {} : { hint }),
    ...options,
  });
}

/** The same error, as long as may be shown, without the token, should the server have echoed it. The half behind the colon is
 *  the secret one. */
export function withoutToken(error: AgentError, token: string): AgentError {
  const secret = token.slice(token.indexOf(":") + 1);
  const written = [token, encodeURIComponent(token), token.replace(":", "%3a"), secret];
  const message = written
    .reduce((text, one) => text.replaceAll(one, "[token]"), error.message)
    .slice(0, longestMessage);
  if (message === error.message) return error;
  const { code, retryAfterMs, hint, details } = error;
  return new AgentError(code, message, {
    retryable: error.retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  });
}

import type Anthropic from "@anthropic-ai/sdk";
import type { ModelCall, ModelProvider } from "../../ports/model.ts";
import type { AgentError } from "../../schema/errors.ts";
import type { LlmRequest, LlmResponse } from "../../schema/llm.ts";
import {
  finishAnswer,
  startAnswer,
  takeEvent,
  takeWhole,
  usageOf,
  type AnswerInProgress,
} from "./anthropic-answer.ts";
import {
  aborted,
  isThoughtRefused,
  timedOut,
  toModelError,
  withUsage,
} from "./anthropic-errors.ts";
import { toWireRequest } from "./anthropic-messages.ts";
import { type HttpResponse, httpFetch } from "./http-fetch.ts";
import { badAnswer } from "./tool-input.ts";
import { withoutSecret } from "./without-secret.ts";
import { guardCall, type CallGuard } from "./call-guard.ts";
import { answerCut, answerTooLarge, maxAnswerBytes, readEventStream } from "./event-stream.ts";

/** Claude over the official SDK, which is loaded at the first call. Source: docs/decisions/0003-anthropic-adapter.md */

export type AnthropicOptions = {
  readonly id: string;
  readonly apiKey: string;
  /** Any server that speaks the Messages API; default api.anthropic.com. */
  readonly baseUrl?: string;
  /** How long the provider may be silent; default 60 000. */
  readonly timeoutMs?: number;
};

type Exchange = {
  readonly request: LlmRequest;
  readonly call: ModelCall;
  readonly guard: CallGuard;
  readonly answer: AnswerInProgress;
};

/** The fast one of the generation that the SDK names as the present one. */
const defaultModel = "claude-sonnet-5-5";
const defaultBaseUrl = "https://api.anthropic.com";
const defaultTimeoutMs = 60_000;
const streamedTokenMs = 100;
const wholeTokenMs = 28;
const maxTimerMs = 2_147_483_647;

async function createClient(options: AnthropicOptions): Promise<Anthropic> {
  const { default: Client } = await import("@anthropic-ai/sdk");
  const baseUrl = (options.baseUrl ?? defaultBaseUrl).replace(/\/+$/, "");
  return new Client({
    apiKey: options.apiKey,
    baseURL: baseUrl,
    timeout: maxTimerMs,
    maxRetries: 0,
    logLevel: "off",
    openTelemetry: false,
    fetch: httpFetch as unknown as typeof fetch,
    ...(baseUrl === defaultBaseUrl ? {} : { defaultHeaders: { "x-api-key": options.apiKey } }),
  });
}

function parseWhole(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    if (body.trim() === "" || body.startsWith("{")) throw answerCut("the body ended");
    throw badAnswer("The provider answered with something that is not JSON; is base_url right?");
  }
}

async function readWhole(response: HttpResponse, answer: AnswerInProgress): Promise<void> {
  const body = await response.text().catch((error: unknown) => {
    throw answerCut(error instanceof Error ? error.message : "the connection failed");
  });
  if (body.length > maxAnswerBytes) throw answerTooLarge();
  takeWhole(answer, parseWhole(body));
}

function readStream(
  response: HttpResponse,
  answer: AnswerInProgress,
  guard: CallGuard,
): Promise<void> {
  return readEventStream(response.body, {
    onBytes: guard.heard,
    onData: (data) => {
      guard.signal.throwIfAborted();
      return takeEvent(answer, data);
    },
  });
}

/** One that was refused for its thoughts is sent again without them, at once: nothing of an answer had come. */
async function send(client: Anthropic, exchange: Exchange): Promise<LlmResponse> {
  const response = await post(client, exchange, false).catch((thrown: unknown) => {
    if (!isThoughtRefused(toModelError(thrown))) throw thrown;
    return post(client, exchange, true);
  });
  const { request, call, guard, answer } = exchange;
  guard.heard();
  const stream = call.onDelta !== undefined;
  const isEventStream = response.headers.get("content-type")?.includes("event-stream") ?? stream;
  await (isEventStream ? readStream(response, answer, guard) : readWhole(response, answer));
  return finishAnswer(answer, request.tools);
}

async function post(
  client: Anthropic,
  { request, call, guard }: Exchange,
  thoughtless: boolean,
): Promise<HttpResponse> {
  const stream = call.onDelta !== undefined;
  const key = call.idempotencyKey;
  const response = await client
    .post("/v1/messages", {
      body: toWireRequest(request, { stream, thoughtless }),
      stream,
      signal: guard.signal,
      headers: { "idempotency-key": thoughtless ? `${key}-thoughtless` : key },
    })
    .asResponse();
  return response as unknown as HttpResponse;
}

function limitsOf(request: LlmRequest, call: ModelCall, timeoutMs: number) {
  const room = request.max_tokens + (request.thinking_budget ?? 0);
  const isStreamed = call.onDelta !== undefined;
  const totalMs = Math.min(
    maxTimerMs,
    timeoutMs + room * (isStreamed ? streamedTokenMs : wholeTokenMs),
  );
  return { silenceMs: isStreamed ? timeoutMs : totalMs, totalMs };
}

export function createAnthropicProvider(options: AnthropicOptions): ModelProvider {
  const timeoutMs = Math.min(options.timeoutMs ?? defaultTimeoutMs, maxTimerMs);
  let client: Promise<Anthropic> | undefined;

  const complete = async (request: LlmRequest, call: ModelCall): Promise<LlmResponse> => {
    if (call.signal.aborted) throw aborted();
    const guard = guardCall(call.signal, limitsOf(request, call, timeoutMs));
    const answer = startAnswer(call.onDelta);
    const failureOf = (thrown: unknown): AgentError => {
      if (call.signal.aborted) return aborted();
      if (guard.isTimedOut()) return timedOut(timeoutMs);
      return withoutSecret(toModelError(thrown), options.apiKey);
    };
    try {
      client ??= createClient(options);
      return await send(await client, { request, call, guard, answer });
    } catch (thrown) {
      guard.abandon();
      throw withUsage(failureOf(thrown), usageOf(answer));
    } finally {
      guard.release();
    }
  };

  return { id: options.id, defaultModel, supportsTools: true, complete };
}

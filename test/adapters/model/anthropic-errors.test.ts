import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAnthropicProvider } from "../../../src/adapters/model/anthropic.ts";
import type { ModelCall } from "../../../src/ports/model.ts";
import type { AgentError } from "../../../src/schema/errors.ts";
import {
  apiError,
  says,
  startAnthropicServer,
  streamOf,
  type AnthropicServer,
  type Reply,
} from "../../support/anthropic-server.ts";
import { ask, callWith, streaming, tool } from "./requests.ts";

const key = "sk-secret-0123456789";
let server: AnthropicServer;
let reply: Reply;

beforeAll(async () => {
  server = await startAnthropicServer(() => reply);
});
afterAll(() => server.close());

type Trial = {
  readonly timeoutMs?: number;
  readonly call?: ModelCall;
  readonly tools?: readonly string[];
  readonly maxTokens?: number;
};

async function failureOf(next: Reply, trial: Trial = {}): Promise<AgentError> {
  reply = next;
  const provider = createAnthropicProvider({
    id: "anthropic",
    apiKey: key,
    baseUrl: server.url,
    timeoutMs: trial.timeoutMs ?? 50_000,
  });
  const request = {
    ...ask("hi", (trial.tools ?? []).map(tool)),
    max_tokens: trial.maxTokens ?? 1000,
  };
  const answer = await provider
    .complete(request, trial.call ?? streaming())
    .catch((error) => error);
  expect(answer).toBeInstanceOf(Error);
  return answer as AgentError;
}

function calls(...blocks: readonly Record<string, unknown>[]): Reply {
  return {
    content: blocks.map((block, index) => ({
      type: "tool_use",
      id: `toolu_${index}`,
      name: "file_read",
      input: {},
      ...block,
    })),
  };
}

describe("what the API refuses", () => {
  const refusals: readonly (readonly [Reply, string, boolean])[] = [
    [apiError(400, "invalid_request_error", "messages: nonsense"), "model.invalid_request", false],
    [
      apiError(400, "invalid_request_error", "prompt is too long: 204857 tokens > 200000 maximum"),
      "model.context_too_long",
      false,
    ],
    [apiError(401, "authentication_error", "invalid x-api-key"), "model.auth", false],
    [apiError(402, "billing_error", "no credit"), "model.invalid_request", false],
    [apiError(403, "permission_error", "not yours"), "model.auth", false],
    [apiError(404, "not_found_error", "model: claude-nope"), "model.invalid_request", false],
    [apiError(408, "timeout_error", "too slow"), "model.timeout", true],
    [apiError(413, "request_too_large", "too large"), "model.context_too_long", false],
    [apiError(422, "invalid_request_error", "no"), "model.invalid_request", false],
    [apiError(429, "rate_limit_error", "slow down"), "model.rate_limited", true],
    [apiError(500, "api_error", "oops"), "model.overloaded", true],
    [{ status: 502, body: "<html>Bad Gateway</html>" }, "model.overloaded", true],
    [apiError(503, "api_error", "later"), "model.overloaded", true],
    [apiError(529, "overloaded_error", "Overloaded"), "model.overloaded", true],
    [
      { status: 307, headers: { location: "https://elsewhere.test/" } },
      "model.invalid_request",
      false,
    ],
  ];

  it.each(refusals)("%j becomes %s, retryable %s", async (next, code, retryable) => {
    expect(await failureOf(next)).toMatchObject({ name: "AgentError", code, retryable });
    expect(await failureOf(next, { call: callWith() })).toMatchObject({ code, retryable });
  });

  it("says what the API said, with its request id", async () => {
    const error = await failureOf(apiError(400, "invalid_request_error", "messages: nonsense"));
    expect(error.message).toBe("The provider answered 400: messages: nonsense");
    expect(error.details).toEqual({ status: 400, request_id: "req_test" });
  });
});

describe("when to try again", () => {
  const limited = apiError(429, "rate_limit_error", "slow down");

  it.each([
    [{ "retry-after": "12" }, 12_000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after-ms": "250" }, 250],
    [{ "retry-after-ms": "250", "retry-after": "12" }, 250],
    [{ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{}, undefined],
  ])("reads %j as %s ms", async (headers, retryAfterMs) => {
    expect((await failureOf({ ...limited, headers })).retryAfterMs).toBe(retryAfterMs);
  });

  it("reads a date to come as the time until then", async () => {
    const headers = { "retry-after": new Date(Date.now() + 300_000).toUTCString() };
    const { retryAfterMs } = await failureOf({ ...limited, headers });
    expect(retryAfterMs).toBeGreaterThan(200_000);
    expect(retryAfterMs).toBeLessThanOrEqual(300_000);
  });

  it("reads it from an overloaded provider too", async () => {
    const overloaded = apiError(529, "overloaded_error", "Overloaded");
    const error = await failureOf({ ...overloaded, headers: { "retry-after": "3" } });
    expect(error).toMatchObject({ code: "model.overloaded", retryAfterMs: 3000 });
  });
});

describe("errors inside a stream", () => {
  it.each([
    ["overloaded_error", "model.overloaded"],
    ["api_error", "model.overloaded"],
    ["something_new", "model.overloaded"],
    ["rate_limit_error", "model.rate_limited"],
    ["authentication_error", "model.auth"],
    ["invalid_request_error", "model.invalid_request"],
  ])("%s becomes %s", async (type, code) => {
    const error = await failureOf({
      ...says("half an answer"),
      error: { afterEvents: 4, type, message: "no" },
    });
    expect(error).toMatchObject({ code, message: `${type}: no` });
  });
});

describe("answers that make no sense", () => {
  it.each([
    ["data that is not JSON", 'event: x\ndata: {"type": oops}\n\n', false],
    ["data that is JSON but no event", "data: null\n\n", false],
    [
      "a delta of a block that never began",
      'data: {"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":"x"}}\n\n',
      false,
    ],
    ["a message without usage or content", 'data: {"type":"message_start"}\n\n', false],
    ["no event at all", "<html>hello</html>", true],
    ["nothing at all", "", true],
  ])("a stream of %s is model.bad_response", async (_, junk, retryable) => {
    expect(await failureOf({ junk })).toMatchObject({ code: "model.bad_response", retryable });
  });

  it.each([
    ["a web page", "<html>hello</html>", false],
    ["a body cut in the middle", '{"id":"msg_1","content":[{"type":"text"}', true],
    ["an empty body", "", true],
    ["another shape", '{"choices":[]}', false],
    ["null", "null", false],
  ])("%s in place of JSON is model.bad_response", async (_, junk, retryable) => {
    const error = await failureOf({ junk }, { call: callWith() });
    expect(error).toMatchObject({ code: "model.bad_response", retryable });
  });

  it.each([
    ["a stream", streaming()],
    ["one body", callWith()],
  ])("an answer of 5 MB in %s is model.bad_response", async (_, call) => {
    const error = await failureOf(says("x".repeat(5 * 1024 * 1024)), { call });
    expect(error).toMatchObject({
      code: "model.bad_response",
      message: expect.stringContaining("larger than 4194304 bytes"),
    });
  });

  it("a web page in place of a stream is model.bad_response", async () => {
    const error = await failureOf({
      junk: "<html>hi</html>",
      headers: { "content-type": "text/html" },
    });
    expect(error).toMatchObject({ code: "model.bad_response", retryable: false });
  });

  const dangerous: readonly (readonly [string, Reply])[] = [
    ["a name that no tool can have", calls({ name: "shell exec" })],
    ["__proto__", calls({ input_json: '{"__proto__":{"admin":true}}' })],
    ["a constructor deep inside", calls({ input_json: '{"a":[{"constructor":{"prototype":1}}]}' })],
    ["a number beyond all numbers", calls({ input_json: '{"a":1e999}' })],
    ["an array", calls({ input_json: "[1]" })],
    ["null", calls({ input_json: "null" })],
    ["JSON with an end too few", calls({ input_json: '{"path":"a' })],
    ["a nesting of 100 000", calls({ input_json: `{"a":${"[".repeat(1e5)}${"]".repeat(1e5)}}` })],
    ["the same id twice", calls({ id: "toolu_1" }, { id: "toolu_1" })],
    ["an empty id", calls({ id: "" })],
  ];

  it.each(dangerous)("a tool call with %s is model.bad_response", async (_, next) => {
    expect(await failureOf(next, { tools: ["file_read"] })).toMatchObject({
      code: "model.bad_response",
      retryable: false,
    });
  });
});

describe("connections that fail", () => {
  it("a reset before the answer is model.unreachable", async () => {
    expect(await failureOf({ reset: true })).toMatchObject({
      code: "model.unreachable",
      retryable: true,
    });
  });

  it("a port where nobody listens is model.unreachable, and the message says why", async () => {
    const closed = await startAnthropicServer(() => says("never"));
    await closed.close();
    const provider = createAnthropicProvider({ id: "anthropic", apiKey: key, baseUrl: closed.url });
    await expect(provider.complete(ask("hi"), streaming())).rejects.toMatchObject({
      code: "model.unreachable",
      retryable: true,
      message: "The provider could not be reached: ECONNREFUSED.",
    });
  });

  it.each([
    ["never answers", { hang: true }],
    [
      "falls silent in the middle",
      { ...says("half an answer"), cut: { afterBytes: 300, how: "hang" as const } },
    ],
    ["only ever pings", { pingsEveryMs: 5 }],
  ])("a provider that %s is model.timeout", async (_, next: Reply) => {
    const error = await failureOf(next, { timeoutMs: 60, maxTokens: 1 });
    expect(error).toMatchObject({ code: "model.timeout", retryable: true });
  });

  it("a provider that never answers a call without deltas is model.timeout", async () => {
    const trial = { timeoutMs: 60, maxTokens: 1, call: callWith() };
    expect(await failureOf({ hang: true }, trial)).toMatchObject({ code: "model.timeout" });
  });

  it.each([
    ["never ends", { pingsEveryMs: 5 }],
    [
      "makes no sense and stays open",
      { junk: "data: null\n\n", cut: { afterBytes: 100, how: "hang" as const } },
    ],
  ])("closes the connection of an answer that %s", async (_, next: Reply) => {
    await failureOf(next, { timeoutMs: 60, maxTokens: 1 });
    await expect(server.requests.at(-1)?.closed).resolves.toBeUndefined();
  });

  it("an abort while the provider is silent is activity.aborted, and the connection is closed", async () => {
    const stop = new AbortController();
    const arrived = new Promise<void>((resolve) => {
      reply = { hang: true };
      const count = server.requests.length;
      const look = () => (server.requests.length > count ? resolve() : setImmediate(look));
      look();
    });
    const failed = failureOf({ hang: true }, { call: { ...streaming(), signal: stop.signal } });
    await arrived;
    stop.abort();
    expect(await failed).toMatchObject({ code: "activity.aborted", retryable: false });
    await expect(server.requests.at(-1)?.closed).resolves.toBeUndefined();
  });
});

describe("the API key", () => {
  it("never shows in an error, even when the provider echoes it", async () => {
    const error = await failureOf(apiError(401, "authentication_error", `bad key ${key}!`));
    expect(error.message).toBe("The provider answered 401: bad key [api key]!");
    expect(JSON.stringify(error.toData())).not.toContain(key);
    expect(error.cause).toBeUndefined();
  });

  it("never shows when no header can carry it", async () => {
    const provider = createAnthropicProvider({
      id: "anthropic",
      apiKey: `${key}\nü`,
      baseUrl: server.url,
    });
    const error = await provider.complete(ask("hi"), streaming()).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: "AgentError", retryable: false });
    expect(String(error.message)).not.toContain(key);
  });
});

describe("a stream cut at any byte", () => {
  const whole: Reply = {
    content: [
      { type: "text", text: "Grüße" },
      { type: "tool_use", id: "toolu_1", name: "file_read", input: { path: "a" } },
    ],
    deltas: 1,
  };
  const length = Buffer.byteLength(streamOf(whole));
  const lackingOnlyItsLastLineBreaks = length - 2;

  it.each([
    ["an orderly end", "end", 1, lackingOnlyItsLastLineBreaks],
    ["a reset", "reset", 5, length],
  ] as const)(
    "by %s ends in model.bad_response, retryable",
    async (_, how, step, answeredFrom) => {
      const cutting = await startAnthropicServer((request) => {
        const afterBytes = Number(request.messages[0]?.content[0]?.["text"]);
        return { ...whole, cut: { afterBytes, how } };
      });
      const provider = createAnthropicProvider({ id: "a", apiKey: key, baseUrl: cutting.url });
      const outcomeOf = (bytes: number) =>
        provider.complete(ask(`${bytes}`, [tool("file_read")]), streaming()).then(
          () => "answered",
          (error: AgentError) => `${error.code} ${error.retryable}`,
        );
      for (let start = 0; start < length; start += 50 * step) {
        const cuts = Array.from({ length: 50 }, (__, index) => start + index * step);
        const inside = cuts.filter((at) => at < length);
        const expected = inside.map((at) =>
          at < answeredFrom ? "model.bad_response true" : "answered",
        );
        expect(await Promise.all(inside.map(outcomeOf))).toEqual(expected);
      }
      await cutting.close();
    },
    30_000,
  );
});

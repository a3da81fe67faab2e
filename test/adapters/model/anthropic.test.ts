import { readdir, readFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createAnthropicProvider } from "../../../src/adapters/model/anthropic.ts";
import type { ModelDelta, ModelProvider } from "../../../src/ports/model.ts";
import { text, type LlmRequest, type LlmResponse } from "../../../src/schema/llm.ts";
import {
  says,
  startAnthropicServer,
  type AnthropicServer,
  type Reply,
} from "../../support/anthropic-server.ts";
import { ask, assistant, callWith, everyTool, result, results, streaming } from "./requests.ts";

let server: AnthropicServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function providerThatHears(...replies: readonly Reply[]): Promise<ModelProvider> {
  server = await startAnthropicServer((_, n) => replies[n - 1] ?? says("That is all."));
  return createAnthropicProvider({ id: "anthropic", apiKey: "sk-test", baseUrl: `${server.url}/` });
}

const manners = [
  ["streamed", streaming()],
  ["whole", callWith()],
] as const;

async function answerTo(reply: Reply, request = ask("go", everyTool)): Promise<LlmResponse> {
  const provider = await providerThatHears(reply);
  return provider.complete(request, streaming());
}

function continued(request: LlmRequest, response: LlmResponse, output: string): LlmRequest {
  const calls = response.content.filter((block) => block.type === "tool_use");
  const answers = results(...calls.map((call) => result(call.id, output)));
  return { ...request, messages: [...request.messages, assistant(...response.content), answers] };
}

describe("what it sends", () => {
  it("sends the request in the words of the Messages API", async () => {
    const provider = await providerThatHears();
    await provider.complete(ask("hi", everyTool.slice(0, 1)), streaming());
    expect(server?.requests[0]).toMatchObject({
      url: "/v1/messages",
      model: "claude-sonnet-4-5",
      max_tokens: 1000,
      stream: true,
      system: "Be brief.",
      messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
      tools: [
        {
          name: "file_read",
          description: "The tool file_read.",
          input_schema: { type: "object", properties: {} },
        },
      ],
    });
    expect(server?.requests[0]?.thinking).toBeUndefined();
  });

  it("sends the key for servers that read either header, and the idempotency key", async () => {
    const provider = await providerThatHears();
    await provider.complete(ask("hi"), streaming());
    expect(server?.requests[0]?.headers).toMatchObject({
      "authorization": "Bearer sk-test",
      "x-api-key": "sk-test",
      "idempotency-key": "run-1/call-1",
    });
  });

  it("asks for no stream when nobody listens to deltas", async () => {
    const provider = await providerThatHears();
    await provider.complete(ask("hi"), callWith());
    expect(server?.requests[0]?.stream).toBe(false);
  });

  it("tries once only: the service retries", async () => {
    const provider = await providerThatHears({ status: 529 });
    await expect(provider.complete(ask("hi"), streaming())).rejects.toBeDefined();
    expect(server?.requests).toHaveLength(1);
  });

  it.each([
    [500, 1000, 1024, 2024],
    [2000, 1000, 2000, 3000],
    [2000, 8000, 2000, 8000],
  ])(
    "a thinking budget of %i with %i tokens asks for %i of %i",
    async (budget, room, asked, max) => {
      const provider = await providerThatHears();
      const request = { ...ask("think"), max_tokens: room, thinking_budget: budget };
      await provider.complete(request, streaming());
      expect(server?.requests[0]).toMatchObject({
        max_tokens: max,
        thinking: { type: "enabled", budget_tokens: asked },
      });
    },
  );

  it("joins neighbours of one role, puts results first, and leaves out what the API refuses", async () => {
    const provider = await providerThatHears();
    const request: LlmRequest = {
      ...ask("read it", everyTool),
      messages: [
        text("user", "read it"),
        text("user", "soon"),
        assistant(
          { type: "thinking", thinking: "another provider's thought" },
          { type: "text", text: " " },
          { type: "tool_use", id: "t1", name: "file_read", input: { path: "a" } },
        ),
        results({ type: "text", text: "and hurry" }, result("t1", "no such file", true)),
        results({ type: "image", media_type: "image/png", data: "aGk=" }),
      ],
    };
    await provider.complete(request, streaming());
    expect(server?.requests[0]?.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "read it" },
          { type: "text", text: "soon" },
        ],
      },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "t1", name: "file_read", input: { path: "a" } }],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", content: "no such file", is_error: true },
          { type: "text", text: "and hurry" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
        ],
      },
    ]);
  });
});

describe("what it hears", () => {
  it.each(manners)("hands thoughts back unchanged in the next request (%s)", async (_, call) => {
    const thought = {
      type: "thinking",
      thinking: "The file, of course.",
      signature: "c2lnbmF0dXJl",
    };
    const hidden = { type: "redacted_thinking", data: "b3BhcXVl" };
    const use = { type: "tool_use", id: "toolu_1", name: "file_read", input: { path: "a.txt" } };
    const provider = await providerThatHears({ content: [thought, hidden, use] });
    const request = { ...ask("read a.txt", everyTool), thinking_budget: 1024 };
    const response = await provider.complete(request, call);
    expect(response.content).toEqual([
      thought,
      { type: "thinking", thinking: "", redacted: "b3BhcXVl" },
      use,
    ]);
    await provider.complete(continued(request, response, "hello"), call);
    expect(server?.requests[1]?.messages[1]).toEqual({
      role: "assistant",
      content: [thought, hidden, use],
    });
  });

  it.each(manners)("takes several calls of one answer in order (%s)", async (_, call) => {
    const read = { type: "tool_use", id: "toolu_1", name: "file_read", input: { path: 'ä\n"b"' } };
    const list = { type: "tool_use", id: "toolu_2", name: "file_list", input: {} };
    const provider = await providerThatHears({
      content: [{ type: "text", text: "Both at once." }, read, list],
      deltas: 5,
    });
    const request = ask("look around", everyTool);
    const response = await provider.complete(request, call);
    expect(response.content).toEqual([{ type: "text", text: "Both at once." }, read, list]);
    expect(response.stop_reason).toBe("tool_use");
    const last = await provider.complete(continued(request, response, "ok"), call);
    expect(last).toMatchObject({ stop_reason: "end_turn", content: [{ text: "That is all." }] });
  });

  it("passes on thoughts and text as they come, each once", async () => {
    const deltas: ModelDelta[] = [];
    const provider = await providerThatHears({
      content: [
        { type: "thinking", thinking: "hm hm", signature: "cw==" },
        { type: "text", text: "yes no" },
      ],
      deltas: 2,
    });
    await provider.complete(
      ask("well?"),
      callWith((delta) => void deltas.push(delta)),
    );
    expect(deltas).toEqual([
      { type: "thinking", text: "hm " },
      { type: "thinking", text: "hm" },
      { type: "text", text: "yes" },
      { type: "text", text: " no" },
    ]);
  });

  it.each(manners)("counts cached input as input (%s)", async (_, call) => {
    const provider = await providerThatHears({
      ...says("hello"),
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 200,
        cache_read_input_tokens: 3000,
        output_tokens: 7,
      },
    });
    const response = await provider.complete(ask("hi"), call);
    expect(response).toMatchObject({ input_tokens: 3210, output_tokens: 7 });
  });

  it.each([
    ["end_turn", "end_turn"],
    ["stop_sequence", "end_turn"],
    ["pause_turn", "end_turn"],
    ["max_tokens", "max_tokens"],
    ["model_context_window_exceeded", "max_tokens"],
    ["refusal", "refusal"],
  ])("a stop for %s is %s", async (stopReason, expected) => {
    expect((await answerTo({ ...says("x"), stopReason })).stop_reason).toBe(expected);
  });

  it("leaves out a call that the token limit cut off", async () => {
    const cutOff = {
      type: "tool_use",
      id: "toolu_1",
      name: "file_write",
      input_json: '{"path":"a',
    };
    const content = [{ type: "text", text: "I write" }, cutOff];
    const response = await answerTo({ content, stopReason: "max_tokens" });
    expect(response.content).toEqual([{ type: "text", text: "I write" }]);
    expect(response.stop_reason).toBe("max_tokens");
  });

  it("passes over blocks that it does not know", async () => {
    const news = { type: "server_news", headline: "x" };
    const response = await answerTo({ content: [news, { type: "text", text: "hi" }] });
    expect(response.content).toEqual([{ type: "text", text: "hi" }]);
  });
});

it("loads the SDK only when a call is made", async () => {
  const folder = new URL("../../../src/adapters/model/", import.meta.url);
  const files = (await readdir(folder)).filter((name) => name.endsWith(".ts"));
  const sources = await Promise.all(files.map((name) => readFile(new URL(name, folder), "utf8")));
  const eager = sources.filter((source) =>
    /^import (?!type )[^;]*@anthropic-ai\/sdk/m.test(source),
  );
  expect(sources.length).toBeGreaterThan(5);
  expect(eager).toEqual([]);
});

import { readdir, readFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createAnthropicProvider } from "../../../src/adapters/model/anthropic.ts";
import type { ModelDelta, ModelProvider } from "../../../src/ports/model.ts";
import { text, type LlmRequest, type LlmResponse } from "../../../src/schema/llm.ts";
import {
  apiError,
  says,
  startAnthropicServer,
  type AnthropicServer,
  type RecordedRequest,
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
      system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
      messages: [
        {
          role: "user",
          content: [{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }],
        },
      ],
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

  it("sends no half of a character, which the API refuses with all of the conversation", async () => {
    const provider = await providerThatHears();
    const cut = String.raw`\\ud83d and \ud83d and ` + "\u{1f600} and \ud83d";
    await provider.complete(ask(cut), streaming());
    const [block] = server?.requests[0]?.messages[0]?.content ?? [];
    expect(block).toMatchObject({ text: cut.replace(/.$/u, "\ufffd") });
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
          { type: "text", text: "soon", cache_control: { type: "ephemeral" } },
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
          {
            type: "image",
            source: { type: "base64", media_type: "image/png", data: "aGk=" },
            cache_control: { type: "ephemeral" },
          },
        ],
      },
    ]);
  });
});

describe("what the provider can cache", () => {
  const bytesOf = (request: RecordedRequest | undefined): string => {
    const { system, tools, messages } = request ?? {};
    const all = JSON.stringify([tools, system, messages]).slice(0, -2);
    return all.replaceAll(',"cache_control":{"type":"ephemeral"}', "");
  };
  const marks = (request: RecordedRequest | undefined) =>
    request?.messages.map(({ content }) => content.map((block) => "cache_control" in block));

  it("is the same in the next round up to where this one ended, and marked there in both", async () => {
    const use = (id: string) => ({ type: "tool_use", id, name: "file_read", input: { path: id } });
    const replies = [1, 2, 3].map((round) => ({ content: [use(`a${round}`), use(`b${round}`)] }));
    const provider = await providerThatHears(...replies);
    let request = ask("go on", everyTool);
    for (let round = 0; round < 4; round += 1) {
      request = continued(request, await provider.complete(request, streaming()), "done");
    }
    const [first, second, third, fourth] = server?.requests ?? [];
    expect(bytesOf(second).startsWith(bytesOf(first))).toBe(true);
    expect(bytesOf(third).startsWith(bytesOf(second))).toBe(true);
    expect(bytesOf(fourth).startsWith(bytesOf(third))).toBe(true);
    expect(marks(first)).toEqual([[true]]);
    expect(marks(second)).toEqual([[true], [false, false], [false, true]]);
    expect(marks(third)?.slice(2)).toEqual([
      [false, true],
      [false, false],
      [false, true],
    ]);
  });

  it("is the tools where there is no system prompt", async () => {
    const provider = await providerThatHears();
    await provider.complete({ ...ask("hi", everyTool), system: "" }, streaming());
    const marked = server?.requests[0]?.tools.map((tool) => "cache_control" in tool);
    expect(marked?.lastIndexOf(true)).toBe(everyTool.length - 1);
    expect(marked?.filter(Boolean)).toHaveLength(1);
    expect(server?.requests[0]?.system).toBeUndefined();
  });
});

describe("how it makes a model think", () => {
  const thinkingFor = async (model: string, thinking_budget?: number) => {
    const provider = await providerThatHears();
    const request = { ...ask("well?"), model };
    const wanted = thinking_budget === undefined ? request : { ...request, thinking_budget };
    await provider.complete(wanted, streaming());
    const { thinking, max_tokens } = server?.requests[0] ?? {};
    return { thinking, max_tokens };
  };

  it.each([
    ["claude-sonnet-5-5", { type: "between_tools" }],
    ["claude-haiku-5-5", { type: "disabled" }],
    ["claude-opus-5-5", undefined],
    ["claude-sonnet-4-5", undefined],
    ["somebody/else", undefined],
  ])("asks %s for as little as it can: %j", async (model, thinking) => {
    expect(await thinkingFor(model)).toEqual({ thinking, max_tokens: 1000 });
  });

  it.each(["claude-sonnet-5-5", "claude-opus-4-8", "claude-sonnet-4-6", "claude-fable-6"])(
    "lets %s decide how much, with room for it",
    async (model) => {
      expect(await thinkingFor(model, 2048)).toEqual({
        thinking: { type: "adaptive" },
        max_tokens: 3048,
      });
    },
  );

  it("asks for no thought with a budget where the turn that goes on began without one", async () => {
    const provider = await providerThatHears();
    const call = { type: "tool_use", id: "t1", name: "file_read", input: {} } as const;
    const messages = [text("user", "read"), assistant(call), results(result("t1", "hi"))];
    await provider.complete(
      { ...ask("", everyTool), messages, thinking_budget: 2048 },
      streaming(),
    );
    expect(server?.requests[0]).toMatchObject({ max_tokens: 1000 });
    expect(server?.requests[0]?.thinking).toBeUndefined();
  });

  it("sends a request again without thoughts when one of them is refused", async () => {
    const refused = apiError(
      400,
      "invalid_request_error",
      "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set …",
    );
    const provider = await providerThatHears(refused, says("Fine."));
    const thought = { type: "thinking", thinking: "Hm.", signature: "c2ln" } as const;
    const said = assistant(thought, { type: "text", text: "Hello." });
    const messages = [text("user", "hi"), said, text("user", "and now?")];
    const response = await provider.complete({ ...ask(""), messages }, streaming());
    expect(response.content).toEqual([{ type: "text", text: "Fine." }]);
    const types = server?.requests.map(({ messages: sent }) =>
      sent[1]?.content.map(({ type }) => type),
    );
    expect(types).toEqual([["thinking", "text"], ["text"]]);
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

  it.each(manners)("counts cached input as input, and for itself (%s)", async (_, call) => {
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
    expect(response).toMatchObject({
      input_tokens: 3210,
      output_tokens: 7,
      cache_read_tokens: 3000,
      cache_write_tokens: 200,
    });
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

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ModelDelta, ModelProvider } from "../../src/ports/model.ts";
import {
  llmResponse,
  textOf,
  type LlmMessage,
  type LlmRequest,
  type LlmResponse,
} from "../../src/schema/llm.ts";

/** What every ModelProvider promises, whoever thinks behind it. */

export type ModelSubject = {
  readonly provider: ModelProvider;
  /** A sentence that is answered with some words, and no tool. */
  readonly talk: LlmRequest;
  /** A sentence that, with the request's tools, is answered with a call of one of them. */
  readonly work: LlmRequest;
  close(): Promise<void>;
};

type Heard = {
  readonly deltas: ModelDelta[];
  readonly onDelta: (delta: ModelDelta) => void;
};

function listen(): Heard {
  const deltas: ModelDelta[] = [];
  return { deltas, onDelta: (delta) => void deltas.push(delta) };
}

function textIn(deltas: readonly ModelDelta[]): string {
  return deltas
    .filter((delta) => delta.type === "text")
    .map((delta) => delta.text)
    .join("");
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

function callsIn(response: LlmResponse) {
  return response.content.filter((block) => block.type === "tool_use");
}

function answered(request: LlmRequest, response: LlmResponse): LlmRequest {
  const results: LlmMessage = {
    role: "user",
    content: callsIn(response).map((call) => ({
      type: "tool_result",
      tool_call_id: call.id,
      output: "done",
      is_error: false,
    })),
  };
  const messages = [
    ...request.messages,
    { role: "assistant" as const, content: response.content },
    results,
  ];
  return { ...request, messages };
}

export function describeModelContract(name: string, start: () => Promise<ModelSubject>): void {
  describe(`the model contract: ${name}`, () => {
    let subject: ModelSubject;
    const never = new AbortController().signal;
    const ask = (request: LlmRequest, heard?: Heard) =>
      subject.provider.complete(request, {
        signal: never,
        idempotencyKey: "k1",
        ...(heard === undefined ? {} : { onDelta: heard.onDelta }),
      });

    beforeAll(async () => {
      subject = await start();
    });
    afterAll(() => subject.close());

    it("streams deltas that together are the text of the response", async () => {
      const heard = listen();
      const response = await ask(subject.talk, heard);
      expect(heard.deltas.length).toBeGreaterThan(1);
      expect(textIn(heard.deltas)).toBe(textOf(response.content));
      expect(textOf(response.content)).not.toBe("");
    });

    it("says the same when nobody listens to deltas", async () => {
      const streamed = await ask(subject.talk, listen());
      expect(await ask(subject.talk)).toEqual(streamed);
    });

    it("answers in the shape of the schema, with a usage that is not negative", async () => {
      for (const request of [subject.talk, subject.work]) {
        const response = await ask(request, listen());
        expect(llmResponse.parse(response)).toEqual(response);
        expect(response.input_tokens).toBeGreaterThan(0);
        expect(response.output_tokens).toBeGreaterThan(0);
      }
    });

    it("calls tools that were offered, and says that this is why it stopped", async () => {
      const response = await ask(subject.work, listen());
      const offered = subject.work.tools.map((tool) => tool.name);
      expect(callsIn(response).length).toBeGreaterThan(0);
      expect(offered).toEqual(expect.arrayContaining(callsIn(response).map((call) => call.name)));
      expect(response.stop_reason).toBe("tool_use");
    });

    it("calls no tool when none is offered", async () => {
      const request = { ...subject.work, tools: [] };
      const outcome = await ask(request).then(
        (response) => callsIn(response).length,
        (error: { code?: string }) => error.code,
      );
      expect([0, "model.bad_response"]).toContain(outcome);
    });

    it("takes the results of its calls and goes on", async () => {
      const first = await ask(subject.work);
      const second = await ask(answered(subject.work, first));
      expect(llmResponse.parse(second)).toEqual(second);
    });

    it("never changes the request", async () => {
      for (const request of [subject.talk, subject.work]) {
        await expect(ask(deepFreeze(structuredClone(request)), listen())).resolves.toBeDefined();
      }
    });

    it("rejects with activity.aborted when it was stopped before it began", async () => {
      const heard = listen();
      const call = { signal: AbortSignal.abort(), idempotencyKey: "k1", onDelta: heard.onDelta };
      await expect(subject.provider.complete(subject.talk, call)).rejects.toMatchObject({
        name: "AgentError",
        code: "activity.aborted",
        retryable: false,
      });
      expect(heard.deltas).toEqual([]);
    });

    it("rejects with activity.aborted when it is stopped at the first delta, and says nothing more", async () => {
      const stop = new AbortController();
      const deltas: ModelDelta[] = [];
      const onDelta = (delta: ModelDelta) => {
        deltas.push(delta);
        stop.abort();
      };
      const call = { signal: stop.signal, idempotencyKey: "k1", onDelta };
      await expect(subject.provider.complete(subject.talk, call)).rejects.toMatchObject({
        code: "activity.aborted",
      });
      expect(deltas).toHaveLength(1);
    });

    it("serves several calls at once without mixing them", async () => {
      const heard = [listen(), listen(), listen()];
      const responses = await Promise.all(heard.map((each) => ask(subject.talk, each)));
      for (const [index, response] of responses.entries()) {
        expect(textIn(heard[index]?.deltas ?? [])).toBe(textOf(response.content));
      }
    });
  });
}

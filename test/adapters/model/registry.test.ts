import { describe, expect, it } from "vitest";
import { createOfflineProvider } from "../../../src/adapters/model/offline/offline-provider.ts";
import { createModelRegistry } from "../../../src/adapters/model/registry.ts";
import type { ModelProvider } from "../../../src/ports/model.ts";

function provider(id: string): ModelProvider {
  return { ...createOfflineProvider(), id };
}

const anthropic = provider("anthropic");
const openai = provider("openai");
const gemini = provider("gemini");
const offline = provider("offline");
const router = provider("router");

describe("the model registry", () => {
  it.each([
    ["anthropic/claude-opus-4-5", anthropic, "claude-opus-4-5"],
    ["router/meta/llama-4", router, "meta/llama-4"],
    ["anthropic", anthropic, "claude-sonnet-4-5"],
    ["offline", offline, "rules"],
  ])("resolves %s", (name, expected, model) => {
    const choice = createModelRegistry([offline, anthropic, router]).resolve(name);
    expect(choice.provider).toBe(expected);
    expect(choice.model).toBe(model);
  });

  it.each([
    [[offline, gemini, openai, anthropic], "anthropic", "claude-sonnet-4-5"],
    [[offline, gemini, openai], "openai", "gpt-5"],
    [[offline, gemini], "gemini", "gemini-2.5-pro"],
    [[router, offline], "offline", "rules"],
  ])("resolves auto to the best that is there", (providers, id, model) => {
    const choice = createModelRegistry(providers).resolve("auto");
    expect([choice.provider.id, choice.model]).toEqual([id, model]);
  });

  it.each(["openai/gpt-5", "openai", "router", "router/", "", "claude-sonnet-4-5"])(
    "refuses %j and lists what there is",
    (name) => {
      expect(() => createModelRegistry([anthropic, router, offline]).resolve(name)).toThrow(
        expect.objectContaining({
          code: "model.not_found",
          message: `No configured provider offers "${name}"; there are: anthropic/claude-sonnet-4-5, router/MODEL, offline/rules.`,
        }),
      );
    },
  );

  it("refuses auto when there is no provider at all", () => {
    expect(() => createModelRegistry([]).resolve("auto")).toThrow(
      'No configured provider offers "auto"; there are: none.',
    );
  });
});

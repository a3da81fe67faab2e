import { describe, expect, it } from "vitest";
import { createOfflineProvider } from "../../../src/adapters/model/offline/offline-provider.ts";
import { createModelRegistry } from "../../../src/adapters/model/registry.ts";
import { createProviders } from "../../../src/app/models/providers.ts";
import type { ModelProvider } from "../../../src/ports/model.ts";
import { providerFile } from "../../../src/schema/config/config-provider.ts";

const offline = createOfflineProvider();
const anthropic: ModelProvider = { ...offline, id: "anthropic", defaultModel: "claude-sonnet-5-5" };
const router: ModelProvider = { ...offline, id: "router", defaultModel: "some-model" };

describe("the model registry", () => {
  it.each([
    ["anthropic/claude-opus-4-5", anthropic, "claude-opus-4-5"],
    ["router/meta/llama-4", router, "meta/llama-4"],
    ["anthropic", anthropic, "claude-sonnet-5-5"],
    ["router/", router, "some-model"],
    ["offline", offline, "rules"],
    ["auto", router, "some-model"],
  ])("resolves %s", (name, expected, model) => {
    const choice = createModelRegistry([router, offline, anthropic]).resolve(name);
    expect(choice.provider).toBe(expected);
    expect(choice.model).toBe(model);
  });

  it.each(["openai/gpt-5", "openai", "", "/", "claude-sonnet-5-5"])(
    "refuses %j and lists what there is",
    (name) => {
      expect(() => createModelRegistry([anthropic, router, offline]).resolve(name)).toThrow(
        expect.objectContaining({
          code: "model.not_found",
          message: `No configured provider offers "${name}"; there are: anthropic/claude-sonnet-5-5, router/some-model, offline/rules.`,
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

describe("auto", () => {
  const configs = [
    { id: "offline", type: "offline" },
    { id: "home", type: "anthropic", api_key: "env:HOME_KEY" },
    { id: "work", type: "anthropic", api_key: "env:WORK_KEY" },
  ].map((config) => providerFile.parse(config));
  const auto = (keys: Record<string, string>) =>
    createModelRegistry(createProviders(configs, new Map(Object.entries(keys)))).resolve("auto");

  it.each([
    [{ home: "k", work: "k" }, "home", "claude-sonnet-5-5"],
    [{ work: "k" }, "work", "claude-sonnet-5-5"],
    [{}, "offline", "rules"],
  ])("with the keys %j is %s/%s", (keys, id, model) => {
    const choice = auto(keys);
    expect([choice.provider.id, choice.model]).toEqual([id, model]);
  });

  it("finds the offline model under the id that its file gives it", () => {
    const own = createProviders(
      [providerFile.parse({ id: "rules_here", type: "offline" })],
      new Map(),
    );
    expect(createModelRegistry(own).resolve("rules_here").provider.id).toBe("rules_here");
    expect(() => createModelRegistry(own).resolve("offline/rules")).toThrow("rules_here/rules");
  });
});

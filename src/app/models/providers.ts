import { createAnthropicProvider } from "../../adapters/model/anthropic.ts";
import { createOfflineProvider } from "../../adapters/model/offline/offline-provider.ts";
import { createModelRegistry, type ModelRegistry } from "../../adapters/model/registry.ts";
import type { LoadedConfig } from "../../config/load-config.ts";
import { type Costs, createCosts } from "./prices.ts";
import type { ModelProvider } from "../../ports/model.ts";
import type { ProviderConfig } from "../../schema/config/config.ts";

/** The providers that can be used now, those that need no key last; `auto` is the first. Left out are those without a key, and
 *  those of a type that none speaks to yet.
 *  @param apiKeys by provider id */
export function createProviders(
  configs: readonly ProviderConfig[],
  apiKeys: ReadonlyMap<string, string>,
): readonly ModelProvider[] {
  const keyless = configs.filter(({ type }) => type === "offline");
  const keyed = configs.filter(({ type }) => type !== "offline");
  return [...keyed, ...keyless].flatMap((config): readonly ModelProvider[] => {
    if (config.type === "offline") return [createOfflineProvider(config.id)];
    const apiKey = apiKeys.get(config.id);
    if (apiKey === undefined || config.type !== "anthropic") return [];
    const { id, base_url, timeout_ms } = config;
    return [createAnthropicProvider({ id, apiKey, baseUrl: base_url, timeoutMs: timeout_ms })];
  });
}

/** Who can answer and what it costs, by this configuration and its keys. */
export function answeringBy({ config, secrets }: Pick<LoadedConfig, "config" | "secrets">): {
  readonly models: ModelRegistry;
  readonly costOf: Costs;
} {
  const providers = createProviders(config.providers, secrets().apiKeys);
  return { models: createModelRegistry(providers), costOf: createCosts(config.prices, providers) };
}

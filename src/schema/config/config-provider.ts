import { z } from "zod";
import { baseUrl, configId, secretReference } from "./config-forms.ts";

/** The shapes of config/providers.d/*.yaml, one a type. */

const providerId = configId.describe(
  "Name of the provider, unique; agents refer to it as `id/model`.",
);

const apiKey = secretReference.describe(
  "The key, as `env:NAME` or `file:PATH`. While the variable is unset, the provider is not available; that is no fault.",
);

const timeout = z
  .int()
  .min(1_000)
  .max(3_600_000)
  .default(60_000)
  .describe("Milliseconds of silence from the provider before a call ends with `model.timeout`.");

function serverAt(url: string, variable: string) {
  return baseUrl
    .default(url)
    .describe(`Any compatible server. The variable ${variable} overrides it.`);
}

const anthropicProvider = z.strictObject({
  id: providerId,
  type: z.literal("anthropic").describe("Speaks the Anthropic Messages API."),
  api_key: apiKey,
  base_url: serverAt("https://api.anthropic.com", "ANTHROPIC_BASE_URL"),
  timeout_ms: timeout,
});

const openaiProvider = z.strictObject({
  id: providerId,
  type: z
    .literal("openai")
    .describe("Speaks the OpenAI API.")
    .meta({ notYet: "speak to providers of type openai" }),
  api_key: apiKey,
  base_url: serverAt("https://api.openai.com/v1", "OPENAI_BASE_URL"),
  timeout_ms: timeout,
});

const geminiProvider = z.strictObject({
  id: providerId,
  type: z
    .literal("gemini")
    .describe("Speaks the Gemini API.")
    .meta({ notYet: "speak to providers of type gemini" }),
  api_key: apiKey,
  base_url: serverAt("https://generativelanguage.googleapis.com", "GEMINI_BASE_URL"),
  timeout_ms: timeout,
});

const offlineProvider = z.strictObject({
  id: configId.describe("Name of the provider, unique."),
  type: z.literal("offline").describe("The built-in model that needs no key and no network."),
});

export const providerFile = z.discriminatedUnion("type", [
  anthropicProvider,
  openaiProvider,
  geminiProvider,
  offlineProvider,
]);

/** The types that a model can be asked through. */
export const answeringProviders: ReadonlySet<string> = new Set(["anthropic", "offline"]);

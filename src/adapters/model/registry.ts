import type { ModelProvider } from "../../ports/model.ts";
import { AgentError } from "../../schema/errors.ts";

/** From a model's name in the configuration, `provider/model`, to who answers. */

export type ModelChoice = { readonly provider: ModelProvider; readonly model: string };

export type ModelRegistry = {
  /** @param name `provider/model`, a provider's id alone, or `auto`   @throws `model.not_found` */
  resolve(name: string): ModelChoice;
};

const preference = ["anthropic", "openai", "gemini", "offline"] as const;

const defaultModels: Readonly<Record<string, string>> = {
  anthropic: "claude-sonnet-4-5",
  openai: "gpt-5",
  gemini: "gemini-2.5-pro",
  offline: "rules",
};

function describe(providers: ReadonlyMap<string, ModelProvider>): string {
  const ids = [...providers.keys()];
  return ids.length === 0
    ? "none"
    : ids.map((id) => `${id}/${defaultModels[id] ?? "MODEL"}`).join(", ");
}

export function createModelRegistry(providers: readonly ModelProvider[]): ModelRegistry {
  const byId = new Map(providers.map((provider) => [provider.id, provider]));

  const find = (id: string, model: string | undefined): ModelChoice | undefined => {
    const provider = byId.get(id);
    const named = model === undefined || model === "" ? defaultModels[id] : model;
    return provider === undefined || named === undefined ? undefined : { provider, model: named };
  };

  const findAny = (): ModelChoice | undefined => {
    const id = preference.find((candidate) => byId.has(candidate));
    return id === undefined ? undefined : find(id, undefined);
  };

  return {
    resolve(name) {
      const slash = name.indexOf("/");
      const named =
        slash < 0 ? find(name, undefined) : find(name.slice(0, slash), name.slice(slash + 1));
      const choice = name === "auto" ? findAny() : named;
      if (choice !== undefined) return choice;
      throw new AgentError(
        "model.not_found",
        `No configured provider offers ${JSON.stringify(name)}; there are: ${describe(byId)}.`,
        {
          hint: "Name a model as provider/model, or use auto.",
        },
      );
    },
  };
}

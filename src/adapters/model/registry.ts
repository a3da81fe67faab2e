import type { ModelProvider } from "../../ports/model.ts";
import { AgentError } from "../../schema/errors.ts";

/** From a model's name in the configuration, `provider/model`, to who answers. */

export type ModelChoice = { readonly provider: ModelProvider; readonly model: string };

export type ModelRegistry = {
  /** @param name `provider/model`, a provider's id alone, or `auto`   @throws `model.not_found` */
  resolve(name: string): ModelChoice;
};

function describe(providers: readonly ModelProvider[]): string {
  if (providers.length === 0) return "none";
  return providers.map(({ id, defaultModel }) => `${id}/${defaultModel}`).join(", ");
}

/** @param providers `auto` is the first of them */
export function createModelRegistry(providers: readonly ModelProvider[]): ModelRegistry {
  const byId = new Map(providers.map((provider) => [provider.id, provider]));

  const find = (id: string, model: string): ModelChoice | undefined => {
    const provider = byId.get(id);
    return provider && { provider, model: model === "" ? provider.defaultModel : model };
  };

  return {
    resolve(name) {
      const [id = ""] = (name === "auto" ? providers[0]?.id : name)?.split("/", 1) ?? [];
      const choice = find(id, name === "auto" ? "" : name.slice(id.length + 1));
      if (choice !== undefined) return choice;
      throw new AgentError(
        "model.not_found",
        `No configured provider offers ${JSON.stringify(name)}; there are: ${describe(providers)}.`,
        {
          hint: "Name a model as provider/model, or use auto.",
        },
      );
    },
  };
}

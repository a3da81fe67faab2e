import type { ModelRegistry } from "../../adapters/model/registry.ts";
import { AgentError } from "../../schema/errors.ts";

/** Who would answer for a model's name, or why nobody does. */
export type Choice =
  | { readonly provider: string; readonly name: string; readonly error: null }
  | { readonly provider: null; readonly name: null; readonly error: string };

/** @param wanted as an agent names it: `provider/model`, a provider's id, or `auto` */
export function choose(models: ModelRegistry, wanted: string): Choice {
  try {
    const { provider, model } = models.resolve(wanted);
    return { provider: provider.id, name: `${provider.id}/${model}`, error: null };
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return { provider: null, name: null, error: error.message };
  }
}

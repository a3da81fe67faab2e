import type { ProviderConfig } from "../schema/config/config.ts";
import { baseUrl, baseUrlForm } from "../schema/config/config-forms.ts";
import type { ConfigFault } from "./config-fault.ts";
import { faultIn } from "./config-fault.ts";
import type { Environment } from "./environment.ts";

/** The variables that lead a provider to another server. */

type ServedProvider = Exclude<ProviderConfig, { readonly type: "offline" }>;

const variables = {
  anthropic: "ANTHROPIC_BASE_URL",
  openai: "OPENAI_BASE_URL",
  gemini: "GEMINI_BASE_URL",
} as const satisfies { readonly [type in ServedProvider["type"]]: string };

/** Without a slash at its end. */
export function baseUrlOf(
  { type, base_url }: Pick<ServedProvider, "type" | "base_url">,
  env: Environment,
): string {
  return (env[variables[type]] || base_url).replace(/\/+$/, "");
}

/** The variable that overrides the address of a provider of this type now. */
export function baseUrlVariable(type: string, env: Environment): string | null {
  const name = Object.entries(variables).find(([known]) => known === type)?.[1];
  return name !== undefined && (env[name] ?? "") !== "" ? name : null;
}

export function baseUrlFaults(env: Environment): ConfigFault[] {
  return Object.values(variables)
    .filter((name) => (env[name] ?? "") !== "" && !baseUrl.safeParse(env[name]).success)
    .map((name) =>
      faultIn("environment", "not in the right form", { path: [name], expected: baseUrlForm }),
    );
}

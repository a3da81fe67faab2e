import type { HiveConfig } from "../schema/config/config.ts";
import { promptParts } from "../schema/config/config.ts";
import type { Json, JsonObject } from "../schema/json.ts";

/** The effective configuration as `config show` prints it: secrets as their references, prompts as their files. */
export function showConfig(config: HiveConfig): JsonObject {
  const agents = config.agents.map((agent) => ({
    ...agent,
    prompts: Object.fromEntries(
      promptParts
        .filter((part) => agent.prompts[part] !== "")
        .map((part) => [part, `prompts/${agent.id}/${part}.md`]),
    ),
  }));
  return plainCopy({ ...config, agents });
}

function plainCopy(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value)) as { readonly [key: string]: Json };
}

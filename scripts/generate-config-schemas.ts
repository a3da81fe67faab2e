import { configFileKinds, configSchema } from "../src/config/json-schema.ts";
import type { GeneratedFile } from "./generated-file.ts";

/** One JSON schema for each kind of configuration file. */
export function configSchemas(): GeneratedFile[] {
  return configFileKinds.map((kind) => ({
    path: `docs/schema/${kind}.json`,
    content: `${JSON.stringify(configSchema(kind), null, 2)}\n`,
  }));
}

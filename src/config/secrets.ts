import type { ConfigFault } from "./config-fault.ts";
import type { ConfigSources } from "./config-sources.ts";
import { type ConnectorSecrets, readConnectorSecrets } from "./connector-secrets.ts";
import { SecretReader, type SecretSource } from "./secret-reader.ts";
import { textAt } from "./source-values.ts";

/** Each secret is read once, when the configuration is. What is read is never stored, logged or shown. */

export type Secrets = {
  /** Every value that must never be seen again, for the redactor. */
  readonly values: readonly string[];
  /** Provider id to key; a provider that wants a key and has none here is not available. */
  readonly apiKeys: ReadonlyMap<string, string>;
  /** Of the server that makes vectors. */
  readonly embeddingKey: string | undefined;
  /** Of a remote database. */
  readonly databaseToken: string | undefined;
  /** By the connector's id. */
  readonly connectors: ReadonlyMap<string, ConnectorSecrets>;
};

export type SecretsRead = { readonly secrets: Secrets; readonly faults: readonly ConfigFault[] };

/** What the files refer to, also where another part of a file is at fault. */
export function readSecrets(sources: ConfigSources, from: SecretSource): SecretsRead {
  const reader = new SecretReader(from);
  const apiKeys = new Map<string, string>();
  for (const provider of sources.providers) {
    const key = reader.read(provider, ["api_key"]);
    const id = textAt(provider, ["id"]);
    if (key !== undefined && id !== null) apiKeys.set(id, key);
  }
  const { main } = sources;
  const embeddingKey = main === null ? undefined : reader.read(main, ["embeddings", "api_key"]);
  const databaseToken = main === null ? undefined : reader.read(main, ["engine", "auth_token"]);
  const connectors = main === null ? new Map() : readConnectorSecrets(main, reader);
  const values = [...reader.values];
  const secrets = { values, apiKeys, embeddingKey, databaseToken, connectors };
  return { secrets, faults: reader.faults };
}

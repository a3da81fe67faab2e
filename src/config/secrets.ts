import { resolve } from "node:path";
import { AgentError } from "../schema/errors.ts";
import type { HiveConfig } from "../schema/config.ts";
import type { Environment } from "./environment.ts";
import { readGuarded, secretProblem } from "./guarded-file.ts";

/** Secrets stay references until `resolveSecrets`; what it returns is never stored, logged or shown. */

const largestSecretBytes = 8_192;

export type SecretSource = { readonly home: string; readonly env: Environment };

export type SecretResult =
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "unset" }
  | { readonly kind: "fault"; readonly message: string };

export type Secrets = {
  /** Every value that must never be seen again, for the redactor. */
  readonly values: readonly string[];
  /** Provider id to key; a provider that wants a key and has none here is not available. */
  readonly apiKeys: ReadonlyMap<string, string>;
  /** Of a remote database. */
  readonly databaseToken: string | undefined;
};

/** Reads one `env:NAME` or `file:PATH` (relative to the home). A variable that is unset or empty is no fault. */
export function readSecret(reference: string, source: SecretSource): SecretResult {
  const colon = reference.indexOf(":");
  const place = reference.slice(colon + 1);
  if (reference.startsWith("env:")) return checked(source.env[place] ?? "", { kind: "unset" });
  const file = readGuarded(resolve(source.home, place), {
    maxBytes: largestSecretBytes,
    problem: secretProblem,
  });
  if (!file.ok)
    return { kind: "fault", message: `the secret file ${place}: ${file.reason.message}` };
  return checked(file.text, { kind: "fault", message: `the secret file ${place} is empty` });
}

/** @throws AgentError `config.invalid` when a secret that was in order at load no longer is */
export function resolveSecrets(config: HiveConfig, env: Environment): Secrets {
  const apiKeys = new Map<string, string>();
  for (const provider of config.providers) {
    if (provider.type === "offline") continue;
    const key = valueOf(provider.api_key, { config, env, owner: `provider ${provider.id}` });
    if (key !== undefined) apiKeys.set(provider.id, key);
  }
  const token = config.engine.auth_token;
  const databaseToken =
    token === null ? undefined : valueOf(token, { config, env, owner: "engine" });
  const tokens = databaseToken === undefined ? [] : [databaseToken];
  return { values: [...new Set([...apiKeys.values(), ...tokens])], apiKeys, databaseToken };
}

type Wanted = { readonly config: HiveConfig; readonly env: Environment; readonly owner: string };

function valueOf(reference: string, { config, env, owner }: Wanted): string | undefined {
  const secret = readSecret(reference, { home: config.home, env });
  if (secret.kind === "fault")
    throw new AgentError("config.invalid", `${owner}: ${secret.message}`);
  return secret.kind === "value" ? secret.value : undefined;
}

/** A key travels in an HTTP header: what could break out of one is a fault, not a value. */
function checked(raw: string, whenEmpty: SecretResult): SecretResult {
  const value = raw.trim();
  if (value === "") return whenEmpty;
  const isPrintable = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value);
  return isPrintable
    ? { kind: "value", value }
    : { kind: "fault", message: "the secret holds characters that no key has" };
}

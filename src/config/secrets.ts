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
    const secret = readSecret(provider.api_key, { home: config.home, env });
    if (secret.kind === "fault")
      throw new AgentError("config.invalid", `provider ${provider.id}: ${secret.message}`);
    if (secret.kind === "value") apiKeys.set(provider.id, secret.value);
  }
  return { values: [...new Set(apiKeys.values())], apiKeys };
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

import { resolve } from "node:path";
import { secretReference } from "../schema/config-forms.ts";
import type { ConfigFault } from "./config-fault.ts";
import { faultIn } from "./config-fault.ts";
import type { ConfigSources } from "./config-sources.ts";
import type { Environment } from "./environment.ts";
import { readGuarded, secretProblem } from "./guarded-file.ts";
import type { ConfigSource } from "./shape-faults.ts";
import { listAt, textAt } from "./source-values.ts";
import type { Path } from "./yaml-tree.ts";

/** Each secret is read once, when the configuration is. What is read is never stored, logged or shown. */

const largestSecretBytes = 8_192;

export type SecretSource = { readonly home: string; readonly env: Environment };

export type Secrets = {
  /** Every value that must never be seen again, for the redactor. */
  readonly values: readonly string[];
  /** Provider id to key; a provider that wants a key and has none here is not available. */
  readonly apiKeys: ReadonlyMap<string, string>;
  /** Of a remote database. */
  readonly databaseToken: string | undefined;
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
  const databaseToken = main === null ? undefined : reader.read(main, ["engine", "auth_token"]);
  if (main !== null)
    listAt(main, ["connectors"]).forEach((_, index) =>
      reader.read(main, ["connectors", index, "token"]),
    );
  const values = [...reader.values];
  return { secrets: { values, apiKeys, databaseToken }, faults: reader.faults };
}

class SecretReader {
  readonly values = new Set<string>();
  readonly faults: ConfigFault[] = [];
  readonly #from: SecretSource;

  constructor(from: SecretSource) {
    this.#from = from;
  }

  read(source: ConfigSource, path: Path): string | undefined {
    const reference = textAt(source, path);
    if (reference === null || !secretReference.safeParse(reference).success) return undefined;
    const secret = readSecret(reference, this.#from);
    if (secret.kind === "fault") {
      const place = source.tree.valuePlace(path);
      this.faults.push(faultIn(source.file, secret.message, { place, path }));
    }
    if (secret.kind !== "value") return undefined;
    this.values.add(secret.value);
    return secret.value;
  }
}

type SecretResult =
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "unset" }
  | { readonly kind: "fault"; readonly message: string };

/** Reads one `env:NAME` or `file:PATH` (relative to the home). A variable that is unset or empty is no fault. */
function readSecret(reference: string, { home, env }: SecretSource): SecretResult {
  const place = reference.slice(reference.indexOf(":") + 1);
  if (reference.startsWith("env:")) return checked(env[place] ?? "", { kind: "unset" });
  const file = readGuarded(resolve(home, place), {
    maxBytes: largestSecretBytes,
    problem: secretProblem,
  });
  if (!file.ok)
    return { kind: "fault", message: `the secret file ${place}: ${file.reason.message}` };
  return checked(file.text, { kind: "fault", message: `the secret file ${place} is empty` });
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

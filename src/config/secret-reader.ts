import { resolve } from "node:path";
import { secretReference } from "../schema/config/config-forms.ts";
import type { ConfigFault } from "./config-fault.ts";
import { faultAt } from "./entry-faults.ts";
import type { Environment } from "./environment.ts";
import { readGuarded, secretProblem } from "./guarded-file.ts";
import type { ConfigSource } from "./shape-faults.ts";
import { textAt } from "./source-values.ts";
import type { Path } from "./yaml-tree.ts";

const largestSecretBytes = 8_192;

export type SecretSource = { readonly home: string; readonly env: Environment };

/** Reads what files refer to, and keeps all that it has read and all that was wrong. */
export class SecretReader {
  readonly values = new Set<string>();
  readonly faults: ConfigFault[] = [];
  readonly #from: SecretSource;

  constructor(from: SecretSource) {
    this.#from = from;
  }

  /** @param whenUnset what is wrong if the variable is unset or empty; absent: nothing */
  read(source: ConfigSource, path: Path, whenUnset?: string): string | undefined {
    const reference = textAt(source, path);
    if (reference === null || !secretReference.safeParse(reference).success) return undefined;
    const secret = readSecret(reference, this.#from);
    if (secret.kind === "value") {
      this.values.add(secret.value);
      return secret.value;
    }
    const message = secret.kind === "fault" ? secret.message : whenUnset;
    if (message !== undefined) this.faults.push(faultAt(source, path, message));
    return undefined;
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

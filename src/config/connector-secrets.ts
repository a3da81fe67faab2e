import { isCalled } from "./connector-references.ts";
import { faultAt } from "./entry-faults.ts";
import type { SecretReader } from "./secret-reader.ts";
import type { ConfigSource } from "./shape-faults.ts";
import { listAt, textAt, valueAt } from "./source-values.ts";
import type { Path } from "./yaml-tree.ts";

/** What connectors prove themselves with, and what others prove themselves with to them. */

export type ConnectorSecrets = {
  /** The bot's. */
  readonly token: string | undefined;
  /** Of those who call it. */
  readonly caller: string | undefined;
  /** For those whom it calls. */
  readonly callback: string | undefined;
};

/** Telegram takes no other signs; shorter ones can be guessed. */
const callerSecret = /^[A-Za-z0-9_-]{16,256}$/;

/** Nobody may call a connector that is run without a secret of its own. */
export function readConnectorSecrets(
  main: ConfigSource,
  reader: SecretReader,
): Map<string, ConnectorSecrets> {
  const read = new Map<string, ConnectorSecrets>();
  const owners = new Map<string, string>();
  for (const index of listAt(main, ["connectors"]).keys()) {
    const connector: Path = ["connectors", index];
    const id = textAt(main, [...connector, "id"]) ?? "";
    const token = reader.read(main, [...connector, "token"]);
    const callback = reader.read(main, [...connector, "callback_secret"]);
    const caller = readCallerSecret(main, connector, reader);
    const owner = caller === undefined ? undefined : owners.get(caller.value);
    if (caller !== undefined && owner !== undefined) {
      const message = `the connector ${owner} has the same secret; each needs one of its own`;
      reader.faults.push(faultAt(main, caller.path, message));
    }
    if (caller !== undefined) owners.set(caller.value, id);
    read.set(id, { token, caller: caller?.value, callback });
  }
  return read;
}

type Read = { readonly path: Path; readonly value: string };

function readCallerSecret(
  main: ConfigSource,
  connector: Path,
  reader: SecretReader,
): Read | undefined {
  const isInside = valueAt(main, [...connector, "webhook"]) !== undefined;
  const path = [...connector, ...(isInside ? ["webhook"] : []), "secret"];
  const unset = isCalled(main, connector)
    ? "the secret is not set: without it, anybody could write here in anybody's name"
    : undefined;
  const value = reader.read(main, path, unset);
  if (value === undefined) return undefined;
  if (callerSecret.test(value)) return { path, value };
  const form = "the secret must be 16 to 256 letters, digits, _ and -, and nothing else";
  reader.faults.push(faultAt(main, path, form));
  return undefined;
}

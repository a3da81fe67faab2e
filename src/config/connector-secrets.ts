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
  const keepToken = ownedByOne(main, reader, oneToken);
  const keepCaller = ownedByOne(main, reader, oneSecret);
  for (const index of listAt(main, ["connectors"]).keys()) {
    const connector: Path = ["connectors", index];
    const id = textAt(main, [...connector, "id"]) ?? "";
    const token = reader.read(main, [...connector, "token"]);
    const callback = reader.read(main, [...connector, "callback_secret"]);
    const caller = readCallerSecret(main, connector, reader);
    const isRun = valueAt(main, [...connector, "enabled"]) !== false;
    if (token !== undefined && isRun)
      keepToken(id, { path: [...connector, "token"], value: token });
    if (caller !== undefined) keepCaller(id, caller);
    read.set(id, { token, caller: caller?.value, callback });
  }
  return read;
}

type Read = { readonly path: Path; readonly value: string };

const oneToken = (owner: string) =>
  `the connector ${owner} has the same token; only one can receive what is sent to a bot`;
const oneSecret = (owner: string) =>
  `the connector ${owner} has the same secret; each needs one of its own`;

/** @returns tells a fault of the second that has what only one may have */
function ownedByOne(
  main: ConfigSource,
  reader: SecretReader,
  message: (owner: string) => string,
): (id: string, read: Read) => void {
  const owners = new Map<string, string>();
  return (id, { path, value }) => {
    const owner = owners.get(value);
    if (owner === undefined) owners.set(value, id);
    else reader.faults.push(faultAt(main, path, message(owner)));
  };
}

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

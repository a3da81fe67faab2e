import { connectorAddress } from "../../actors/channel/channels.ts";
import type { Engine } from "../../engine/engine.ts";
import { isOpenPairing } from "../../gateway/pairing.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { type Pairing, pairingTable } from "../../schema/rows/channel-rows.ts";
import { AgentError } from "../../schema/errors.ts";
import type { ShownPairing } from "../../schema/shown/shown-channels.ts";
import { type ConnectorSource, noConnector } from "../records/shown-connector.ts";
import { listPairings, showPairing } from "../records/shown-pairing.ts";
import { sendOrRefuse } from "./actors.ts";
import type { Caller, Handlers } from "./caller.ts";

/** Letting strangers in who have shown their code, and out again. */
export function pairingReads(
  read: CommittedReader,
  source: ConnectorSource,
): Handlers<"pairings.list"> {
  return {
    "pairings.list": async ({ connector, limit }) => {
      const { connectors } = source.config();
      if (connector !== undefined && connectors.every(({ id }) => id !== connector))
        throw noConnector(connector, connectors);
      return listPairings(read, { connector, now: source.now(), limit });
    },
  };
}

export function pairingHandlers(
  engine: Engine,
  now: () => number,
): Handlers<"pairings.approve" | "pairings.revoke"> {
  const { read } = engine;
  return {
    "pairings.approve": async ({ code: typed, connector }, caller) => {
      const code = typed.trim().toUpperCase();
      const { connector_id, user_scope } = await openWith(read, { code, connector, now: now() });
      const event = { type: "pairing.approve", code, by: caller.name };
      return decided(engine, { connector_id, user_scope, event, caller });
    },
    "pairings.revoke": async ({ connector: connector_id, user: user_scope }, caller) => {
      const pairing = await read.get(pairingTable, connector_id, user_scope);
      if (pairing?.state !== "approved") throw notLetIn(connector_id, user_scope);
      const event = { type: "pairing.revoke", user_scope, by: caller.name };
      return decided(engine, { connector_id, user_scope, event, caller });
    },
  };
}

type Wanted = {
  readonly code: string;
  readonly connector: string | undefined;
  readonly now: number;
};

/** @throws AgentError pairing.not_found, usage */
async function openWith(read: CommittedReader, { code, connector, now }: Wanted): Promise<Pairing> {
  const rows = await read.select(pairingTable, { index: "by_code", equals: [code] });
  const open = rows
    .filter((row) => isOpenPairing(row, now))
    .filter(({ connector_id }) => (connector ?? connector_id) === connector_id);
  const [first, ...others] = open;
  if (first === undefined)
    throw new AgentError("pairing.not_found", `No open request has the code ${code}.`, {
      hint: "a code lasts an hour: `statehive pair list` shows those that are open",
    });
  if (others.length === 0) return first;
  const ids = open.map(({ connector_id }) => connector_id).join(", ");
  throw new AgentError("usage", `Several connectors have a request with this code: ${ids}.`, {
    hint: "name one: --connector ID",
  });
}

type Deciding = {
  readonly connector_id: string;
  readonly user_scope: string;
  readonly event: { readonly type: string; readonly by: string };
  readonly caller: Caller;
};

async function decided(
  engine: Engine,
  { connector_id, user_scope, event, caller }: Deciding,
): Promise<ShownPairing> {
  const options = { origin: caller.origin };
  await sendOrRefuse(engine, connectorAddress(connector_id), { event: { ...event }, options });
  const pairing = await engine.read.get(pairingTable, connector_id, user_scope);
  if (pairing === undefined) throw notLetIn(connector_id, user_scope);
  return showPairing(pairing);
}

function notLetIn(connector: string, user: string): AgentError {
  return new AgentError("pairing.not_found", `${user} was not let in at ${connector} by a code.`, {
    hint: "who stands in `allow_users` is taken out there; `statehive pair list` shows the others",
  });
}

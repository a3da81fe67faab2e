import { connectorAddress } from "../../actors/channel/channels.ts";
import { storedContext } from "../../engine/kernel/actor-state.ts";
import { type ActorRow, actorTable, timerTable } from "../../engine/tables.ts";
import { isOpenPairing } from "../../gateway/pairing.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { type Pairing, pairingTable } from "../../schema/rows/channel-rows.ts";
import type { HiveConfig } from "../../schema/config/config.ts";
import type { ConnectorContext } from "../../schema/contexts/connector-context.ts";
import { AgentError } from "../../schema/errors.ts";
import type { ShownConnector, ShownConnectorDetails } from "../../schema/shown/shown-channels.ts";
import { connectorNeed, connectorRemarks } from "./connector-advice.ts";
import { countDeliveries } from "./shown-delivery.ts";
import { iso, isoOrNull } from "./shown.ts";

/** Connectors as their owner sees them: as they are configured, and what their actors have come to. */

export type ConnectorConfig = HiveConfig["connectors"][number];

export type ConnectorSource = {
  config(): Pick<HiveConfig, "connectors">;
  now(): number;
};

/** In the order of the configuration, then those that only live. */
export async function listConnectors(
  read: CommittedReader,
  { config }: ConnectorSource,
): Promise<ShownConnector[]> {
  const { connectors } = config();
  const ids = [...new Set([...connectors.map(({ id }) => id), ...(await livingIds(read))])];
  return Promise.all(ids.map((id) => showConnector(read, id, configOf(connectors, id))));
}

/** @throws AgentError connector.not_found */
export async function connectorDetails(
  read: CommittedReader,
  source: ConnectorSource,
  id?: string,
): Promise<ShownConnectorDetails[]> {
  const all = await listConnectors(read, source);
  const wanted = id === undefined ? all : all.filter((one) => one.id === id);
  if (id !== undefined && wanted.length === 0) throw noConnector(id, all);
  return Promise.all(wanted.map((one) => detailsOf(read, source, one)));
}

/** Those that will not receive again without a person. */
export async function connectorsInNeed(
  read: CommittedReader,
  source: ConnectorSource,
): Promise<ShownConnector[]> {
  return (await listConnectors(read, source)).filter(({ needs }) => needs !== null);
}

export function noConnector(id: string, known: readonly { readonly id: string }[]): AgentError {
  const there =
    known.length === 0 ? "there is none" : `there are: ${known.map((one) => one.id).join(", ")}`;
  return new AgentError("connector.not_found", `No connector is called ${id}; ${there}.`, {
    hint: "connectors stand in config/main.yaml under `connectors`",
  });
}

function configOf(connectors: readonly ConnectorConfig[], id: string): ConnectorConfig | undefined {
  return connectors.find((one) => one.id === id);
}

async function livingIds(read: CommittedReader): Promise<string[]> {
  const ofKind = { index: "by_version", from: "connector", upTo: "connector" };
  const statuses = ["active", "quarantined"] as const;
  const rows = await Promise.all(
    statuses.map((status) => read.select(actorTable, { ...ofKind, equals: [status] })),
  );
  return rows.flat().map(({ address }) => address.slice(connectorAddress("").length));
}

async function showConnector(
  read: CommittedReader,
  id: string,
  config: ConnectorConfig | undefined,
): Promise<ShownConnector> {
  const actor = await read.get(actorTable, connectorAddress(id));
  const known = actor === undefined ? {} : contextOf(actor);
  const paired = await read.select(pairingTable, {
    index: "by_state",
    equals: [id, "approved"],
  });
  const state = stateOf(actor);
  const error = actor?.status === "quarantined" ? actor.error : (known.error ?? null);
  return {
    id,
    ...(config === undefined ? inNoFile(known) : configured(config)),
    state,
    since: isoOrNull(actor?.since ?? null),
    needs: config?.enabled === true ? connectorNeed({ id, state, error }) : null,
    paired: paired.length,
    ...experienceOf(known),
    error,
  };
}

function experienceOf({ identity, accepted, refused, last_update_at }: Partial<ConnectorContext>) {
  return {
    name: identity?.name ?? null,
    accepted: accepted ?? 0,
    refused: refused ?? 0,
    last_update_at: isoOrNull(last_update_at ?? null),
  };
}

function configured({ type, enabled, agents, ...config }: ConnectorConfig) {
  return {
    type,
    intake: isWebhook({ type, ...config }) ? "webhook" : "polling",
    is_configured: true,
    is_enabled: enabled,
    agents,
    allow_users: config.allow_users.length,
    approvers: config.approvers.length,
    groups: config.groups.length,
  } as const;
}

function isWebhook(config: Pick<ConnectorConfig, "type"> & { readonly webhook?: unknown }) {
  return config.type === "webhook" || (config.webhook ?? null) !== null;
}

/** Only its actor lives still. */
function inNoFile({ type = "unknown", intake = "polling" }: Partial<ConnectorContext>) {
  const nobody = { agents: [], allow_users: 0, approvers: 0, groups: 0 };
  return { type, intake, is_configured: false, is_enabled: false, ...nobody } as const;
}

function stateOf(actor: ActorRow | undefined): string {
  if (actor === undefined) return "not_started";
  return actor.status === "quarantined" ? "set_aside" : actor.state;
}

/** A damaged snapshot has no more than the row tells. */
function contextOf({ snapshot }: ActorRow): Partial<ConnectorContext> {
  return storedContext(snapshot);
}

async function detailsOf(
  read: CommittedReader,
  { config, now }: ConnectorSource,
  shown: ShownConnector,
): Promise<ShownConnectorDetails> {
  const { id } = shown;
  const open = await openPairings(read, id, now());
  const deliveries = await countDeliveries(read, id);
  const setting = configOf(config().connectors, id);
  return {
    ...shown,
    next_try_at: await nextTry(read, shown),
    pairings_open: open.length,
    deliveries,
    remarks: setting === undefined ? [] : connectorRemarks(setting, shown),
  };
}

async function openPairings(
  read: CommittedReader,
  connectorId: string,
  now: number,
): Promise<Pairing[]> {
  const query = { index: "by_state", equals: [connectorId, "open"] };
  return (await read.select(pairingTable, query)).filter((one) => isOpenPairing(one, now));
}

const waitingToTry = ["backing_off", "conflict"];

async function nextTry(
  read: CommittedReader,
  { id, state }: ShownConnector,
): Promise<string | null> {
  if (!waitingToTry.includes(state)) return null;
  const address = connectorAddress(id);
  const timers = await read.select(timerTable, { index: "key", from: address, upTo: address });
  const [first] = timers.map(({ at }) => at).toSorted((a, b) => a - b);
  return first === undefined ? null : iso(first);
}

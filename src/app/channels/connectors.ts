import { connectorAddress } from "../../actors/channel/channels.ts";
import type { Engine } from "../../engine/engine.ts";
import type { ConnectorContext } from "../../schema/contexts/connector-context.ts";
import type { HiveConfig } from "../../schema/config/config.ts";
import { rootAddress } from "../root.ts";
import {
  type ConnectorConfig,
  enabledConnectors,
  type ConfiguredChannels,
} from "./configured-channels.ts";
import { retryDeliveriesOf } from "./retry-now.ts";

/** The actors of the connectors that are configured: made once, begun with the service, and again when their configuration changes. */

/** Those that are configured no more are told to stop. One that a person has stopped stays so. */
export async function startConnectors(
  engine: Engine,
  channels: ConfiguredChannels,
  config: HiveConfig,
): Promise<void> {
  for (const connector of enabledConnectors(config)) {
    await startConnector(engine, channels, { connector, isChanged: false });
  }
  await stopOthers(engine, config);
  await retryDeliveriesOf(
    engine,
    enabledConnectors(config).map(({ id }) => id),
  );
}

/** @param changed ids of those whose channel is another than before */
export async function renewConnectors(
  engine: Engine,
  channels: ConfiguredChannels,
  { config, changed }: { readonly config: HiveConfig; readonly changed: readonly string[] },
): Promise<void> {
  for (const connector of enabledConnectors(config)) {
    if (!changed.includes(connector.id)) continue;
    await startConnector(engine, channels, { connector, isChanged: true });
  }
  await stopOthers(engine, config);
  await retryDeliveriesOf(engine, changed);
}

type Starting = { readonly connector: ConnectorConfig; readonly isChanged: boolean };

async function startConnector(
  engine: Engine,
  channels: ConfiguredChannels,
  { connector, isChanged }: Starting,
): Promise<void> {
  const address = connectorAddress(connector.id);
  const intake = channels.get(connector.id)?.intake ?? "polling";
  const actor = await engine.get(address);
  if (actor === undefined || actor.status !== "active") {
    const input = { connector_id: connector.id, type: connector.type, intake };
    await engine.create(address, { machine: "connector", input, supervisor: rootAddress });
    return;
  }
  const { error } = actor.context as ConnectorContext;
  const isStoppedByPerson = actor.state === "stopped" && error === null;
  if (isStoppedByPerson && !isChanged) return;
  await engine.send(address, { type: "connector.start", intake }, { origin: "api" });
}

async function stopOthers(engine: Engine, config: HiveConfig): Promise<void> {
  const configured = new Set(enabledConnectors(config).map(({ id }) => connectorAddress(id)));
  const living = await engine.actors({ status: "active", prefix: "connector/" });
  const others = living.filter(
    ({ machine, address }) => machine === "connector" && !configured.has(address),
  );
  const event = { type: "connector.stop", reason: "it is configured no more" };
  for (const { address, state } of others) {
    if (state !== "stopped") await engine.send(address, event, { origin: "api" });
  }
}

import { connectorHandlers, connectorReads } from "../../src/app/api/connectors.ts";
import { deliveryHandlers, deliveryReads } from "../../src/app/api/deliveries.ts";
import { pairingHandlers, pairingReads } from "../../src/app/api/pairings.ts";
import type { Method, ParamsOf, ParsedParams, Results } from "../../src/schema/socket/protocol.ts";
import { methodParams } from "../../src/schema/socket/method-params.ts";
import { methodResults } from "../../src/schema/socket/results.ts";
import type { HiveConfig } from "../../src/schema/config/config.ts";
import type { ChannelHive } from "./channel-hive.ts";

/** The owner of a hive with a channel, at the command line: what they ask of connectors, pairings and deliveries. */

const caller = { origin: "cli", name: "cli" } as never;

const telegram = {
  id: "tg",
  type: "telegram",
  enabled: true,
  token: "env:TG_TOKEN",
  api_root: "https://api.telegram.org",
  allow_users: [1001, 1002],
  approvers: [1001],
  groups: [-100],
  pairing: true,
  agents: [],
  webhook: null,
} as const;

export function createOwner(
  { engine, clock }: ChannelHive,
  connectors: readonly object[] = [telegram],
) {
  const config = { connectors } as unknown as Pick<HiveConfig, "connectors">;
  const source = { config: () => config, now: () => clock.now() };
  const api = {
    ...connectorReads(engine.read, source),
    ...pairingReads(engine.read, source),
    ...deliveryReads(engine.read),
    ...connectorHandlers(engine, source),
    ...pairingHandlers(engine, source.now),
    ...deliveryHandlers(engine),
  };
  return async <M extends Method & keyof typeof api>(
    method: M,
    params: ParamsOf<M>,
  ): Promise<Results[M]> => {
    const parsed = methodParams[method].parse(params) as ParsedParams<M>;
    const handler = api[method] as unknown as (
      params: ParsedParams<M>,
      who: never,
    ) => Promise<unknown>;
    return methodResults[method].parse(await handler(parsed, caller)) as Results[M];
  };
}

export { telegram as ownersConnector };

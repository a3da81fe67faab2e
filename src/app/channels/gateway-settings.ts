import type { GatewaySettings } from "../../gateway/judged.ts";
import type { HiveConfig } from "../../schema/config/config.ts";

/** How the gateway is to judge what comes in over one connector; undefined where none has this id. */
export function gatewaySettings(
  { connectors, gateway, routing }: HiveConfig,
  connector_id: string,
): GatewaySettings | undefined {
  const connector = connectors.find(({ id }) => id === connector_id);
  if (connector === undefined) return undefined;
  const { type, allow_users, approvers, groups, pairing, agents } = connector;
  return {
    doorway: {
      connector_id,
      channel_type: type,
      allow_users: allow_users.map(String),
      approvers: approvers.map(String),
      groups: groups.map(String),
      pairing,
      agents,
    },
    per_user: gateway.rate_limit,
    all: gateway.global_rate_limit,
    routing,
  };
}

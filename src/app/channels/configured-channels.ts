import type { Channels } from "../../actors/channel/channels.ts";
import type {
  IntakeProtocol,
  IntakeRoute,
  IntakeRoutes,
} from "../../adapters/channel/http/intake-route.ts";
import type { ConnectorSecrets } from "../../config/connector-secrets.ts";
import type { Channel } from "../../ports/channel.ts";
import type { HiveConfig } from "../../schema/config/config.ts";
import { sessionRules } from "../api/chat.ts";
import type { LiveConfig } from "../config/live-config.ts";
import { gatewaySettings } from "./gateway-settings.ts";

export type ConnectorConfig = HiveConfig["connectors"][number];

/** `protocol`: of a channel that is called by others. */
export type MadeChannel = { readonly channel: Channel; readonly protocol?: IntakeProtocol };

export type MakeChannel = (
  connector: ConnectorConfig,
  secrets: ConnectorSecrets | undefined,
) => MadeChannel;

export type ConfiguredChannels = Channels & {
  /** Where those are called that bring what they have. */
  routes(): IntakeRoutes;
  /** Takes over what is configured now. @returns the connectors whose channel is another than before */
  renew(): Promise<readonly string[]>;
  close(): Promise<void>;
};

type Open = MadeChannel & { readonly madeFrom: string; readonly route: Route | undefined };
type Route = readonly [path: string, IntakeRoute];

/** One channel for each connector, made anew when its configuration or its token changes. */
export function createConfiguredChannels(
  live: Pick<LiveConfig, "now" | "connectorSecrets">,
  make: MakeChannel,
): ConfiguredChannels {
  const open = new Map<string, Open>();

  async function renew(): Promise<readonly string[]> {
    const changed: string[] = [];
    const now = new Map(enabledConnectors(live.now()).map((one) => [one.id, one]));
    for (const [id, { channel }] of open) {
      if (now.has(id)) continue;
      open.delete(id);
      await channel.close();
    }
    for (const [id, connector] of now) {
      const secrets = live.connectorSecrets(id);
      const madeFrom = JSON.stringify([connector, secrets]);
      const former = open.get(id);
      if (former?.madeFrom === madeFrom) continue;
      const made = make(connector, secrets);
      open.set(id, { ...made, madeFrom, route: routeOf(connector, made, secrets) });
      changed.push(id);
      await former?.channel.close();
    }
    return changed;
  }

  return {
    renew,
    routes: () => new Map([...open.values()].flatMap(({ route }) => (route ? [route] : []))),
    get: (id) => open.get(id)?.channel,
    settings: (id) => (open.has(id) ? gatewaySettings(live.now(), id) : undefined),
    sessions: () => sessionRules(live.now()),
    close: async () => {
      const channels = [...open.values()];
      open.clear();
      await Promise.all(channels.map(({ channel }) => channel.close()));
    },
  };
}

function routeOf(
  { type, id }: ConnectorConfig,
  { protocol }: MadeChannel,
  secrets: ConnectorSecrets | undefined,
): Route | undefined {
  if (protocol === undefined) return undefined;
  return [`/${type}/${id}`, { connectorId: id, secret: secrets?.caller ?? "", protocol }];
}

export function enabledConnectors({ connectors }: HiveConfig): readonly ConnectorConfig[] {
  return connectors.filter(({ enabled }) => enabled);
}

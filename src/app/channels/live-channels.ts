import type { Channels } from "../../actors/channel/channels.ts";
import type { ConnectorSecrets } from "../../config/connector-secrets.ts";
import type { Channel } from "../../ports/channel.ts";
import type { HiveConfig } from "../../schema/config.ts";
import { sessionRules } from "../api/chat.ts";
import type { LiveConfig } from "../config/live-config.ts";
import { gatewaySettings } from "./gateway-settings.ts";

export type ConnectorConfig = HiveConfig["connectors"][number];

export type MakeChannel = (
  connector: ConnectorConfig,
  secrets: ConnectorSecrets | undefined,
) => Channel;

export type LiveChannels = Channels & {
  /** Takes over what is configured now. @returns the connectors whose channel is another than before */
  renew(): Promise<readonly string[]>;
  close(): Promise<void>;
};

type Open = { readonly channel: Channel; readonly madeFrom: string };

/** One channel for each connector, made anew when its configuration or its token changes. */
export function createLiveChannels(
  live: Pick<LiveConfig, "now" | "connectorSecrets">,
  make: MakeChannel,
): LiveChannels {
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
      open.set(id, { channel: make(connector, secrets), madeFrom });
      changed.push(id);
      await former?.channel.close();
    }
    return changed;
  }

  return {
    renew,
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

export function enabledConnectors({ connectors }: HiveConfig): readonly ConnectorConfig[] {
  return connectors.filter(({ enabled }) => enabled);
}

import type { GatewaySettings } from "../../gateway/judged.ts";
import type { Channel } from "../../ports/channel.ts";
import { AgentError } from "../../schema/errors.ts";
import type { QueueMode } from "../../schema/queue.ts";

/** The channels that are configured now. */
export type Channels = {
  get(connectorId: string): Channel | undefined;
  /** How its people are let in; undefined: it is configured no more. */
  settings(connectorId: string): GatewaySettings | undefined;
  /** What holds for conversations. */
  sessions(): { readonly ttlMs: number; readonly queue: QueueMode };
};

export const noChannels: Channels = {
  get: () => undefined,
  settings: () => undefined,
  sessions: () => ({ ttlMs: 30 * 60_000, queue: "follow_up" }),
};

export function connectorAddress(connectorId: string): string {
  return `connector/${connectorId}`;
}

/** @throws AgentError connector.not_found */
export function channelOf(channels: Channels, connectorId: string): Channel {
  const channel = channels.get(connectorId);
  if (channel !== undefined) return channel;
  throw new AgentError("connector.not_found", `No connector is called ${connectorId} any more.`, {
    hint: "`statehive connectors list` shows them",
  });
}

import type { CommittedReader } from "../../ports/store.ts";
import type { Agents } from "../agent.ts";
import type { Channels } from "./channels.ts";
import { createDeliverPart } from "./sending/deliver.ts";
import { createFetchFile } from "./files/fetch-file.ts";
import { createOpenChannel, createReceiveUpdates } from "./receive.ts";

export type ChannelActivityParts = {
  readonly channels: Channels;
  readonly agents: Agents;
  readonly read: () => CommittedReader;
};

/** What is done over channels. */
export function channelActivities({ channels, agents, read }: ChannelActivityParts) {
  return {
    openChannel: createOpenChannel(channels),
    receiveUpdates: createReceiveUpdates(channels),
    deliverPart: createDeliverPart(channels, read),
    fetchFile: createFetchFile(channels, agents),
  };
}

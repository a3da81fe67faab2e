import type { ActivityKind } from "../../engine/activities/activity-kind.ts";
import type {
  ChannelIdentity,
  OpenChannelInput,
  ReceivedUpdates,
  ReceiveUpdatesInput,
} from "../../schema/activities.ts";
import { type Channels, channelOf } from "./channels.ts";

/** What a connector does outside: it opens its channel, and waits for updates. */

const manyConnectors = 64;

export function createOpenChannel(
  channels: Channels,
): ActivityKind<OpenChannelInput, ChannelIdentity> {
  return {
    recovery: "repeat",
    maxConcurrent: manyConnectors,
    run: ({ input, signal }) => channelOf(channels, input.connector_id).open(signal),
  };
}

export function createReceiveUpdates(
  channels: Channels,
): ActivityKind<ReceiveUpdatesInput, ReceivedUpdates> {
  return {
    recovery: "repeat",
    maxConcurrent: manyConnectors,
    waits: true,
    run: ({ input, signal }) =>
      channelOf(channels, input.connector_id).receive(input.cursor, signal),
  };
}

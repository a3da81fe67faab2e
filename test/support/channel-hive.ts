import { FakeChannel } from "../../src/adapters/channel/fake-channel.ts";
import type { Channels } from "../../src/actors/channel/channels.ts";
import { connectorAddress } from "../../src/actors/channel/channels.ts";
import type { GatewaySettings } from "../../src/gateway/judged.ts";
import type { Channel } from "../../src/ports/channel.ts";
import type { QueueMode } from "../../src/schema/queue.ts";
import type { Attachment, InboundMessage, InboundUpdate } from "../../src/schema/inbound.ts";
import { createTestHive, type TestHive, type TestHiveOptions } from "./hive.ts";

/** A hive with one connector over a channel in memory: `tg`, where 1001 may write and approve, and -100 is a group. */

export const testSettings: GatewaySettings = {
  doorway: {
    connector_id: "tg",
    channel_type: "telegram",
    allow_users: ["1001", "1002"],
    approvers: ["1001"],
    groups: ["-100"],
    agents: [],
    pairing: true,
  },
  per_user: { capacity: 20, refill_per_minute: 20 },
  all: { capacity: 200, refill_per_minute: 600 },
  routing: { default_agent: "main", bindings: [] },
};

export type ChannelHive = TestHive & {
  readonly channel: FakeChannel;
  readonly channels: Channels;
  /** What was said to people, as plain text, oldest first. */
  heard(): string[];
};

export type ChannelHiveOptions = Omit<TestHiveOptions, "channels" | "connectors"> & {
  readonly channel?: FakeChannel;
  /** A channel to elsewhere, in place of the one in memory. */
  readonly over?: Channel;
  readonly settings?: GatewaySettings;
  /** `follow_up` unless told. */
  readonly queue?: QueueMode;
};

export async function createChannelHive(options: ChannelHiveOptions = {}): Promise<ChannelHive> {
  const { channel = new FakeChannel(), settings = testSettings, over, ...rest } = options;
  const { queue = "follow_up", ...others } = rest;
  const { connector_id: id, channel_type: type, approvers } = settings.doorway;
  const channels: Channels = {
    get: (wanted) => (wanted === id ? (over ?? channel) : undefined),
    settings: (wanted) => (wanted === id ? settings : undefined),
    sessions: () => ({ ttlMs: 1_800_000, queue }),
  };
  const connectors = () => [{ id, type, approvers }];
  const hive = await createTestHive({ ...others, channels, connectors });
  const address = connectorAddress(id);
  if ((await hive.engine.get(address)) === undefined) {
    const input = { connector_id: id, type, intake: (over ?? channel).intake };
    await hive.engine.create(address, { machine: "connector", input, supervisor: "system" });
  }
  const heard = () =>
    channel.messages.map(({ body }) =>
      body.kind === "card" ? body.parts.map((part) => JSON.stringify(part)).join(" ") : body.text,
    );
  return { ...hive, channel, channels, heard };
}

let lastUpdate = 0;

export type Saying = {
  readonly from?: string;
  readonly chat?: string;
  readonly topic?: string;
  readonly update?: string;
  readonly addressed?: boolean;
  readonly files?: readonly Attachment[];
  readonly album?: string;
};

/** A file as its sender's side tells of it. */
export function attached(file_id: string, told: Partial<Attachment> = {}): Attachment {
  return { kind: "document", file_id, name: null, media_type: null, bytes: null, ...told };
}

/** A message in a private chat, or in a group where the chat is another than the sender. */
export function says(text: string, saying: Saying = {}): InboundUpdate {
  lastUpdate += 1;
  const { from = "1001", chat = from, topic, update = String(lastUpdate) } = saying;
  return {
    update_id: update,
    conversation: {
      kind: chat === from ? "private" : "group",
      chat,
      scope: topic === undefined ? chat : `${chat}/${topic}`,
    },
    sender: { id: from, name: `User ${from}`, is_bot: false },
    what: messageOf(`m${update}`, text, saying),
  };
}

function messageOf(
  message_id: string,
  text: string,
  { addressed = true, files = [], album }: Saying,
): InboundMessage {
  const [, name = "", args = ""] = /^\/(\w+)\s*(.*)$/s.exec(text) ?? [];
  return {
    kind: "message",
    message_id,
    text,
    command: name === "" ? null : { name, args },
    is_addressed: addressed,
    is_forwarded: false,
    attachments: [...files],
    album_id: album ?? null,
    reply_to: null,
    quoted: null,
  };
}

import { type Channels, channelOf, connectorAddress } from "../../actors/channel/channels.ts";
import type { Engine } from "../../engine/engine.ts";
import type { OutgoingText } from "../../ports/outbox.ts";
import { AgentError } from "../../schema/errors.ts";

type Posting = {
  readonly channels: Channels;
  readonly message: OutgoingText;
  readonly key: string;
};

/** What an agent sends by itself is a delivery of that connector, made once for its key. */
export async function postOver(
  engine: Engine,
  { channels, message: { connector, scope, text }, key }: Posting,
): Promise<void> {
  channelOf(channels, connector);
  const nothing = { about: null, reply_to: null, edits: null, resends: null };
  const { outcome, reason } = await engine.send(
    connectorAddress(connector),
    { type: "delivery.due", scope, kind: "notice", text, ...nothing },
    { origin: "api", idempotencyKey: `message_send ${key}` },
  );
  if (outcome === "handled") return;
  throw new AgentError(
    "tool.failed",
    `The connector ${connector} did not take it: ${reason ?? outcome}`,
  );
}

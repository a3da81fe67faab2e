import { FakeChannel } from "../../../src/adapters/channel/fake-channel.ts";
import { AgentError } from "../../../src/schema/errors.ts";
import type { InboundMessage, InboundUpdate, InboundWhat } from "../../../src/schema/inbound.ts";
import type { Body } from "../../../src/schema/outbound.ts";
import {
  type ChannelWorld,
  describeChannelContract,
  type Hindrance,
} from "../../contracts/channel.contract.ts";

const never = new AbortController().signal;

function textOf(body: Body): string {
  if (body.kind !== "card") return body.text;
  return body.parts
    .map((part) => (part.kind === "fact" ? `${part.name}: ${part.value}` : part.text))
    .join("\n");
}

const errors: Readonly<Record<Exclude<Hindrance, "answer_lost">, AgentError>> = {
  unreachable: new AgentError("channel.unreachable", "Nobody listens.", { retryable: true }),
  rate_limited: new AgentError("channel.rate_limited", "Too much.", {
    retryable: true,
    retryAfterMs: 3000,
  }),
  refused: new AgentError("channel.refused", "No."),
};

async function create(): Promise<ChannelWorld> {
  const channel = new FakeChannel();
  let cursor: string | null = null;
  let waiting = false;
  let updates = 0;
  const put = (what: InboundWhat) => {
    updates += 1;
    waiting = true;
    void channel.put({
      update_id: String(updates),
      conversation: { kind: "private", chat: "1001", scope: "1001" },
      sender: { id: "1001", name: "Ann", is_bot: false },
      what,
    });
  };
  const write = (said: Partial<InboundMessage>) =>
    put({
      kind: "message",
      message_id: String(updates + 1),
      text: "",
      command: null,
      is_addressed: true,
      is_forwarded: false,
      attachments: [],
      album_id: null,
      reply_to: null,
      quoted: null,
      ...said,
    });
  return {
    channel,
    say: (text, bytes) => {
      const file_id = `file-${updates}`;
      if (bytes !== undefined) channel.files.set(file_id, { bytes, mediaType: null });
      const size = bytes?.length ?? null;
      const file = {
        kind: "document",
        file_id,
        name: null,
        media_type: null,
        bytes: size,
      } as const;
      write({ text, attachments: bytes === undefined ? [] : [file] });
    },
    forward: (text) => write({ text, is_forwarded: true }),
    tap: (messageId, label) => {
      const message = channel.messages.find((one) => one.message_id === messageId);
      const button = message?.buttons.flat().find((one) => one.label === label);
      put({ kind: "button", message_id: messageId, data: button?.data ?? "", tap_id: "1" });
    },
    arrived: async (): Promise<readonly InboundUpdate[]> => {
      if (!waiting) return [];
      waiting = false;
      const received = await channel.receive(cursor, never);
      cursor = received.cursor;
      return received.updates;
    },
    seen: () =>
      channel.messages.map((one) => ({
        message_id: one.message_id,
        text: textOf(one.body),
        labels: one.buttons.flat().map(({ label }) => label),
      })),
    hinder: (how) => {
      channel.isLive = false;
      if (how === "answer_lost") channel.sendFaults.push({ kind: "lose_answer" });
      else channel.sendFaults.push({ kind: "refuse", error: errors[how] });
    },
    mend: () => {
      channel.isLive = true;
      channel.sendFaults.length = 0;
    },
    close: () => channel.close(),
  };
}

describeChannelContract("the fake channel", { create });

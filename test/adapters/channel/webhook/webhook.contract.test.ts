import { createWebhookChannel } from "../../../../src/adapters/channel/webhook/webhook-channel.ts";
import type { MessagePost } from "../../../../src/adapters/channel/webhook/outbound-post.ts";
import {
  type ChannelWorld,
  describeChannelContract,
  type Hindrance,
} from "../../../contracts/channel.contract.ts";
import { type CallbackAnswer, callbackServer } from "../../../support/callback-server.ts";
import { listener } from "../http/listener.ts";

/** A program that posts to the listener and is posted to: it keeps each message by its id, as docs/webhook.md asks it to. */

const answers: Readonly<Record<Hindrance, CallbackAnswer>> = {
  unreachable: { status: 502 },
  rate_limited: { status: 429, headers: { "retry-after": "3" } },
  answer_lost: "drop",
  refused: { status: 422 },
};

function textOf({ message }: MessagePost): string {
  if (message.kind !== "card") return message.text;
  return message.parts
    .map((part) => (part.kind === "fact" ? `${part.name}: ${part.value}` : part.text))
    .join("\n");
}

async function create(): Promise<ChannelWorld> {
  const shown = new Map<string, MessagePost>();
  let hindrance: Hindrance | undefined;
  const callback = await callbackServer(({ event, body }) => {
    const post = body as unknown as MessagePost;
    const isGone = event === "edit" && !shown.has(post.message_id);
    if (isGone) return { status: 404 };
    const arrives = hindrance === undefined || hindrance === "answer_lost";
    if (arrives && (event === "message" || event === "edit")) shown.set(post.message_id, post);
    return hindrance === undefined ? { status: 204 } : answers[hindrance];
  });
  const { post, taken } = await listener();
  const channel = createWebhookChannel({
    connectorId: "crm",
    callbackUrl: callback.url,
    callbackSecret: undefined,
    isLive: true,
  });
  let posted = 0;
  let read = 0;
  const bring = async (said: object) => {
    posted += 1;
    const who = { id: String(posted), conversation: { id: "ann" }, user: { id: "ann" } };
    const { status } = await post({ body: JSON.stringify({ ...who, ...said }) });
    if (status !== 200) throw new Error(`A message was answered with ${status}.`);
  };
  return {
    channel,
    say: (text) => bring({ text }),
    forward: (text) => bring({ text, forwarded: true }),
    tap: (message_id, label) => {
      const buttons = shown.get(message_id)?.message.buttons.flat() ?? [];
      const data = buttons.find((button) => button.label === label)?.data;
      return bring({ button: { message_id, data } });
    },
    arrived: async () => {
      const updates = taken.slice(read).map(({ update }) => update);
      read = taken.length;
      return updates;
    },
    seen: () =>
      [...shown].map(([message_id, one]) => ({
        message_id,
        text: textOf(one),
        labels: one.message.buttons.flat().map(({ label }) => label),
      })),
    hinder: (how) => {
      hindrance = how;
    },
    mend: () => {
      hindrance = undefined;
    },
    close: () => channel.close(),
  };
}

describeChannelContract("a webhook", { create, hasFiles: false, hasPreviews: false });

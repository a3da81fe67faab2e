import type { Channel, LiveChannel, LivePlace } from "../../../ports/channel.ts";
import { AgentError } from "../../../schema/errors.ts";
import { Callback } from "./callback.ts";
import { conversationIn } from "./conversation-scope.ts";
import { messageIdOf, messagePost } from "./outbound-post.ts";

export type WebhookOptions = {
  readonly connectorId: string;
  readonly callbackUrl: string;
  readonly callbackSecret: string | undefined;
  /** Whether the callback is told what happens meanwhile. */
  readonly isLive: boolean;
  /** For tests. */
  readonly timeoutMs?: number;
};

const liveTimeoutMs = 5_000;

/** A channel to any program: messages come by its posts, and go by posts to it. Whatever is sent has a key, so that it may be sent
 *  again. */
export function createWebhookChannel(options: WebhookOptions): Channel {
  const { connectorId: connector, callbackUrl: url, callbackSecret: secret } = options;
  const callback = new Callback({ url, secret, timeoutMs: options.timeoutMs ?? 15_000 });
  const identify = async (signal: AbortSignal) => {
    await greet(callback, connector, signal);
    return { id: connector, name: new URL(url).host };
  };
  return {
    sends: "keyed",
    intake: "webhook",
    open: identify,
    identify,
    receive: () =>
      Promise.reject(
        new AgentError("channel.refused", "A webhook is not asked for messages: it brings them."),
      ),
    async send(message, part, { key, signal }) {
      const messageId = messageIdOf(key);
      const said = messagePost(message, { event: "message", connector, key, messageId, part });
      await callback.post({ key, said, signal });
      return { message_id: messageId, parts: 1 };
    },
    async edit(messageId, message, { key, signal }) {
      const said = messagePost(message, { event: "edit", connector, key, messageId, part: 0 });
      await callback.post({ key, said, signal }).catch((error: unknown) => {
        throw isGone(error) ? error.withDetails({ is_gone: true }) : error;
      });
      return { message_id: messageId, parts: 1 };
    },
    fetch: () =>
      Promise.reject(new AgentError("channel.refused", "A webhook's messages have no files.")),
    live: liveThrough(callback, options),
    close: () => callback.close(),
  };
}

/** Whether it is there and takes the token; a callback that does not know this event may refuse it. */
async function greet(callback: Callback, connector: string, signal: AbortSignal): Promise<void> {
  try {
    await callback.post({ said: { event: "hello", connector }, signal });
  } catch (error) {
    if (!(error instanceof AgentError && error.code === "channel.refused")) throw error;
  }
}

function isGone(error: unknown): error is AgentError {
  if (!(error instanceof AgentError) || error.code !== "channel.refused") return false;
  return error.details?.["status"] === 404 || error.details?.["status"] === 410;
}

function liveThrough(
  callback: Callback,
  { connectorId: connector, isLive }: WebhookOptions,
): LiveChannel {
  async function show(event: string, said: object): Promise<boolean> {
    if (!isLive) return false;
    const post = { said: { event, connector, ...said }, withinMs: liveTimeoutMs };
    return callback.post(post).then(
      () => true,
      () => false,
    );
  }
  return {
    seen: (at) => show("seen", { ...place(at), message_id: at.messageId }),
    typing: (at) => show("typing", place(at)),
    draft: (at) => show("draft", { ...place(at), draft: at.draft, text: at.text }),
    preview: () => Promise.resolve(undefined),
    changePreview: () => Promise.resolve(false),
    answerTap: (tapId, text) => show("tap", { tap_id: tapId, text }),
  };
}

function place({ scope }: LivePlace) {
  return { conversation: conversationIn(scope) };
}

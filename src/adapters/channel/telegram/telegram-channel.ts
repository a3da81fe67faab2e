import { setMaxListeners } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { Channel } from "../../../ports/channel.ts";
import type { ChannelIdentity, ReceivedUpdates } from "../../../schema/activities.ts";
import type { InboundUpdate } from "../../../schema/inbound.ts";
import type { Self } from "./updates/addressing.ts";
import { fetchFile, type FileOptions } from "./fetch-file.ts";
import { createLiveTelegram } from "./live-telegram.ts";
import { menu } from "./menu.ts";
import { allowedUpdates, readUpdate, updateNumberOf } from "./updates/read-update.ts";
import { editFirstPart, sendPart } from "./send-message.ts";
import {
  type ClientOptions,
  createTelegramClient,
  type TelegramClient,
} from "./telegram-client.ts";
import { asPassing, failure } from "./telegram-errors.ts";

/** One Telegram bot. The actor that owns it is the loop: nothing here polls, waits or repeats by itself. */

export type TelegramOptions = ClientOptions &
  FileOptions & {
    /** How Telegram brings updates; undefined: they are asked for. */
    readonly webhook?: { readonly url: string; readonly secret: string };
    /** Numbers of the groups that are let in. */
    readonly groups?: readonly string[];
    /** How long one poll waits, in whole seconds; 50 unless told. */
    readonly pollSeconds?: number;
    /** Milliseconds that only go forward; the process's unless told. */
    readonly now?: () => number;
  };

export type TelegramChannel = Channel & {
  /** What Telegram brought to the webhook. Undefined before the bot is known: it is not taken, and Telegram brings it again. */
  read(body: unknown): InboundUpdate | undefined;
};

const pollSeconds = 50;
const mostUpdates = 100;
/** No poll without anything new is over sooner: who answers at once, whatever was asked, would be asked without end. */
const idlePollMs = 1_000;

export function createTelegramChannel(options: TelegramOptions): TelegramChannel {
  const client = createTelegramClient(options);
  const closing = new AbortController();
  /** Each call that runs listens to it. */
  setMaxListeners(0, closing.signal);
  let self: Self | undefined;
  /** Fewer after a poll that failed: what is too long to be read at once comes in pieces. */
  let most = mostUpdates;

  async function open(signal: AbortSignal): Promise<ChannelIdentity> {
    self = await whoAmI(client, signal);
    await arrangeIntake(client, options, signal);
    await offerMenu(client, signal);
    return identityOf(self);
  }

  async function receive(cursor: string | null, signal: AbortSignal): Promise<ReceivedUpdates> {
    self ??= await whoAmI(client, signal);
    const seconds = options.pollSeconds ?? pollSeconds;
    const mayEndAt = performance.now() + (seconds === 0 ? 0 : idlePollMs);
    const raw = await poll(client, { cursor, seconds, most }, signal).catch((error: unknown) => {
      most = Math.max(1, Math.floor(most / 10));
      throw error;
    });
    most = Math.min(mostUpdates, most * 10);
    const received = taken(raw, self, cursor);
    if (!bringsNews(received, cursor)) await untilThen(mayEndAt, signal);
    return received;
  }

  return {
    sends: "once",
    intake: options.webhook === undefined ? "polling" : "webhook",
    open,
    identify: async (signal) => identityOf(await whoAmI(client, signal)),
    receive,
    read: (body) => (self === undefined ? undefined : readUpdate(body, self)),
    send: (message, part, call) =>
      sendPart(client, { message, part, groups: options.groups ?? [] }, call),
    edit: (messageId, message, call) => editFirstPart(client, { message, messageId }, call),
    fetch: (fileId, limits, signal) => fetchFile(client, { fileId, limits, signal }, options),
    live: createLiveTelegram(client, {
      closing: closing.signal,
      now: options.now ?? (() => performance.now()),
    }),
    close: async () => closing.abort(),
  };
}

function identityOf({ id, username }: Self): ChannelIdentity {
  return { id: String(id), name: username };
}

async function whoAmI(client: TelegramClient, signal: AbortSignal): Promise<Self> {
  const asked = { method: "getMe", isOnce: false, signal };
  const { id, username } = await insisting(client.call(asked, (api) => api.getMe(signal)));
  if (Number.isSafeInteger(id) && typeof username === "string") return { id, username };
  throw failure("channel.unreachable", "What answers getMe is not Telegram: it names no bot.");
}

/** With several connections at once Telegram would bring messages in any order. */
const oneAfterAnother = 1;

async function arrangeIntake(
  client: TelegramClient,
  { webhook }: TelegramOptions,
  signal: AbortSignal,
): Promise<void> {
  if (webhook === undefined) {
    const asked = { method: "deleteWebhook", isOnce: false, signal };
    await insisting(client.call(asked, (api) => api.deleteWebhook({}, signal)));
    return;
  }
  const { url, secret } = webhook;
  const how = { max_connections: oneAfterAnother, allowed_updates: [...allowedUpdates] };
  await client.call({ method: "setWebhook", isOnce: false, signal }, (api) =>
    api.setWebhook({ url, secret_token: secret, ...how }, signal),
  );
}

/** A bot whose menu Telegram does not take answers all the same. */
async function offerMenu(client: TelegramClient, signal: AbortSignal): Promise<void> {
  const asked = { method: "setMyCommands", isOnce: false, signal };
  await client
    .call(asked, (api) => api.setMyCommands({ commands: menu }, signal))
    .catch((error: unknown) => {
      if (signal.aborted) throw error;
    });
}

/** Of what cannot be asked otherwise: who refuses it is not Telegram, or will not for long. */
function insisting<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    throw asPassing(error);
  });
}

type Poll = { readonly cursor: string | null; readonly seconds: number; readonly most: number };

async function poll(
  client: TelegramClient,
  { cursor, seconds, most }: Poll,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const how = { limit: most, timeout: seconds, allowed_updates: [...allowedUpdates] };
  const after = cursor === null ? {} : { offset: Number(cursor) };
  const asked = { method: "getUpdates", isOnce: false, signal };
  const raw: unknown = await insisting(
    client.call(asked, (api) => api.getUpdates({ ...after, ...how }, signal)),
  );
  if (Array.isArray(raw)) return raw;
  throw failure("channel.unreachable", "What answers getUpdates is not Telegram: it is no list.");
}

/** The cursor is the number after the last: Telegram forgets what lies before it when it is asked for the next. Asked for what lies
 *  far ahead of all it has, as after a week without any or for another bot, it answers with what it has: its numbers are to be
 *  followed down, or it would answer the same for ever. */
function taken(raw: readonly unknown[], self: Self, cursor: string | null): ReceivedUpdates {
  const updates = raw.map((one) => readUpdate(one, self));
  const numbers = updates.flatMap((one) => updateNumberOf(one) ?? []);
  if (updates.length > 0 && numbers.length === 0)
    throw failure(
      "channel.unreachable",
      "What answers getUpdates is not Telegram: its updates have no numbers.",
    );
  if (numbers.length === 0) return { updates, cursor };
  return { updates, cursor: String(Math.max(...numbers) + 1) };
}

function bringsNews({ updates }: ReceivedUpdates, cursor: string | null): boolean {
  return updates.some((one) => (updateNumberOf(one) ?? 0) >= Number(cursor ?? 0));
}

async function untilThen(at: number, signal: AbortSignal): Promise<void> {
  const ms = at - performance.now();
  if (ms > 0 && !signal.aborted) await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}

import { afterEach, beforeEach } from "vitest";
import {
  createTelegramChannel,
  type TelegramChannel,
  type TelegramOptions,
} from "../../../../src/adapters/channel/telegram/telegram-channel.ts";
import type { AgentError } from "../../../../src/schema/errors.ts";
import {
  type FakeBot,
  startTelegramServer,
  type TelegramServer,
} from "../../../support/telegram-server.ts";

/** A bot of the fake Bot API, and channels to it. */

export const token = "7002:AAsecret-half_of-the_token";
export const secret = "AAsecret-half_of-the_token";
export const never = new AbortController().signal;
export const sendCall = { key: "k", signal: never };

export type BotWorld = {
  readonly server: TelegramServer;
  readonly bot: FakeBot;
  channelWith(options?: Partial<TelegramOptions>): TelegramChannel;
};

/** Fresh for each test of a file. */
export function useBotWorld(): BotWorld {
  let server: TelegramServer;
  let bot: FakeBot;
  beforeEach(async () => {
    server = await startTelegramServer();
    bot = server.bot(token, { username: "statehive_bot" });
  });
  afterEach(() => server.close());
  return {
    get server() {
      return server;
    },
    get bot() {
      return bot;
    },
    channelWith: (options = {}) =>
      createTelegramChannel({ token, apiRoot: server.url, pollSeconds: 0, ...options }),
  };
}

export async function faultOf(call: Promise<unknown>): Promise<AgentError> {
  const fault = await call.then(
    () => undefined,
    (error: unknown) => error as AgentError,
  );
  if (fault === undefined) throw new Error("It did not fail.");
  return fault;
}

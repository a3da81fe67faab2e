import { createTelegramChannel } from "../../../../src/adapters/channel/telegram/telegram-channel.ts";
import type { InboundUpdate } from "../../../../src/schema/inbound.ts";
import { type ChannelWorld, describeChannelContract } from "../../../contracts/channel.contract.ts";
import { faults, startTelegramServer } from "../../../support/telegram-server.ts";

const token = "7001:contract_token-A";
const never = new AbortController().signal;

async function create(): Promise<ChannelWorld> {
  const server = await startTelegramServer();
  const bot = server.bot(token);
  const channel = createTelegramChannel({ token, apiRoot: server.url, pollSeconds: 0 });
  let cursor: string | null = null;
  return {
    channel,
    say: (text, bytes) =>
      void bot.say(text, bytes === undefined ? {} : { file: { kind: "document", bytes } }),
    forward: (text) => void bot.say(text, { isForwarded: true }),
    tap: (messageId, label) => {
      const message = bot.sent.find((one) => String(one.message_id) === messageId);
      if (message === undefined) throw new Error(`There is no message ${messageId}.`);
      bot.tap(message, label);
    },
    arrived: async (): Promise<readonly InboundUpdate[]> => {
      const received = await channel.receive(cursor, never);
      cursor = received.cursor;
      return received.updates;
    },
    seen: () =>
      bot.sent.map((one) => ({
        message_id: String(one.message_id),
        text: one.text,
        labels: one.buttons.flat().map(({ label }) => label),
      })),
    hinder: async (how) => {
      if (how === "unreachable") {
        await server.goDown();
        /** Finds the connection that was kept open closed. */
        await channel.open(never).catch(() => {});
      }
      if (how === "rate_limited") bot.fail("*", faults.rateLimited(3));
      if (how === "answer_lost") bot.fail("*", faults.answerDropped);
      if (how === "refused")
        bot.fail("*", faults.refused(403, "Forbidden: bot was blocked by the user"));
    },
    mend: async () => {
      bot.mend();
      await server.comeUp();
    },
    close: async () => {
      await channel.close();
      await server.close();
    },
  };
}

describeChannelContract("Telegram", { create });

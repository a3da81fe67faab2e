import type { FakeChannel, SeenMessage } from "../../../src/adapters/channel/fake-channel.ts";
import { silentLog } from "../../../src/adapters/log/json-log.ts";
import { startTapAnswers } from "../../../src/app/channels/answer-taps.ts";
import { createNewsBus } from "../../../src/app/news/news.ts";
import type { InboundUpdate } from "../../../src/schema/inbound.ts";
import {
  type ChannelHive,
  type ChannelHiveOptions,
  createChannelHive,
  says,
  type Saying,
  testSettings,
} from "../../support/channel-hive.ts";
import { approvals, audit } from "../hive-watch.ts";

/** People in a channel who are asked, and tap. */

export const write = 'call file_write {"path":"a.txt","content":"hi"}';
export const writeOther = 'call file_write {"path":"b.txt","content":"ho"}';
export const ask = 'call ask_user {"question":"Tea or coffee?","options":["tea","coffee"]}';
export const askFreely = 'call ask_user {"question":"What is it called?"}';

/** 1001 and 1003 may decide, 1002 may only write. */
export const deskSettings = {
  ...testSettings,
  doorway: {
    ...testSettings.doorway,
    allow_users: ["1001", "1002", "1003"],
    approvers: ["1001", "1003"],
  },
};

export type Desk = ChannelHive & {
  /** What tapped buttons have said, oldest first. */
  words(): Promise<string[]>;
};

export async function openDesk(options: ChannelHiveOptions = {}): Promise<Desk> {
  const hive = await createChannelHive({ settings: deskSettings, ...options });
  const { engine, channel, channels } = hive;
  const bus = createNewsBus(engine);
  startTapAnswers({ bus, engine, channels, log: silentLog });
  const words = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    return channel.shown
      .filter(({ kind }) => kind === "answerTap")
      .map(({ said }) => (said as { text: string }).text);
  };
  return { ...hive, words };
}

/** Something is said or tapped, and all that follows has happened. */
export async function happens(desk: ChannelHive, ...updates: InboundUpdate[]): Promise<void> {
  await desk.channel.put(...updates);
  await desk.engine.settled();
}

/** Lets time pass, until what is received is waited for again. */
export async function waits(desk: ChannelHive, ms: number): Promise<void> {
  desk.clock.advance(ms);
  await desk.engine.settled();
  while ((await desk.engine.get("connector/tg"))?.state !== "polling") {
    desk.clock.advance(1_000);
    await desk.engine.settled();
  }
}

export function tell(desk: ChannelHive, text: string, saying?: Saying): Promise<void> {
  return happens(desk, says(text, saying));
}

/** The messages that are cards, as they stand now. */
export function cards({ channel }: { readonly channel: FakeChannel }, scope?: string) {
  return channel.messages.filter(
    ({ body, ...message }) =>
      body.kind === "card" && (scope === undefined || message.scope === scope),
  );
}

/** A card as it is read. */
export function textOf({ body }: SeenMessage): string {
  if (body.kind !== "card") return body.text;
  return body.parts
    .map((part) => (part.kind === "fact" ? `${part.name}: ${part.value}` : part.text))
    .join("\n");
}

export function labelsOf({ buttons }: SeenMessage): string[][] {
  return buttons.map((row) => row.map(({ label }) => label));
}

export type Tapping = Partial<{
  from: string;
  chat: string;
  messageId: string;
  update: string;
}>;

let lastTap = 0;

/** @param label of a button of this message, or the data that a forged one brings */
export function taps(message: SeenMessage, label: string, tapping: Tapping = {}): InboundUpdate {
  lastTap += 1;
  const [chat = ""] = message.scope.split("/");
  const {
    from = chat.startsWith("-") ? "1001" : chat,
    messageId = message.message_id,
    update = `tap${lastTap}`,
  } = tapping;
  const scope = tapping.chat ?? message.scope;
  const button = message.buttons.flat().find((one) => one.label === label);
  return {
    update_id: update,
    conversation: {
      kind: scope.startsWith("-") ? "group" : "private",
      chat: scope.split("/")[0] ?? "",
      scope,
    },
    sender: { id: from, name: `User ${from}`, is_bot: false },
    what: { kind: "button", message_id: messageId, data: button?.data ?? label, tap_id: update },
  };
}

export function onlyCard(desk: ChannelHive, scope?: string): SeenMessage {
  const [card, ...more] = cards(desk, scope);
  if (card === undefined || more.length > 0) throw new Error(`${more.length} more cards, or none`);
  return card;
}

/** Why answers did not count, as the audit has it. */
export async function refusals(hive: ChannelHive): Promise<unknown[]> {
  const rows = await audit(hive);
  return rows.filter(({ status }) => status === "refused").map(({ error }) => error);
}

export async function states(hive: ChannelHive): Promise<string[]> {
  return (await approvals(hive)).map(({ state }) => state);
}

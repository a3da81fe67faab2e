import { type FakeBot, faults, manglers } from "./telegram-server.ts";
import type { BotMessage } from "./telegram/account.ts";
import type { Fault } from "./telegram/faults.ts";
import type { Place } from "./telegram/people.ts";
import type { SaidToken } from "./telegram-judge.ts";

/** People who write to a bot in private, in groups and in topics, and tap what they are asked. */

export type Conversation = {
  readonly number: number;
  readonly user: number;
  readonly place: Place;
  /** What stands beside the token. */
  readonly wish: "" | "write" | "ask";
};

const firstUser = 1001;
export const groups = Array.from({ length: 20 }, (_, index) => -100 - index);
const firstTopic = 50;

/** Of ten: six in private, two in groups, two in topics; one has something written, one is asked. */
export function conversations(count: number): readonly Conversation[] {
  return Array.from({ length: count }, (_, index) => {
    const user = firstUser + index;
    const kind = index % 10;
    const wish = kind % 5 === 1 ? "write" : kind % 5 === 2 ? "ask" : "";
    return { number: index, user, place: placeOf(index, kind), wish };
  });
}

/** Groups with an even place in the list have topics, two conversations in each. */
function placeOf(index: number, kind: number): Place {
  const user = firstUser + index;
  if (kind < 6) return user;
  const group = Math.floor(index / 10) % groups.length;
  const chat = groups[group] ?? 0;
  return group % 2 === 0 ? { chat, topic: firstTopic + (kind % 2) } : chat;
}

/** Those who are asked something, and who decides in groups. */
export const approvers = [
  firstUser,
  ...conversations(200).flatMap(({ user, wish }) => (wish === "" ? [] : [user])),
];

export type Crowd = {
  readonly said: readonly SaidToken[];
  speak(conversation: Conversation): void;
  /** Answers every question that nobody has answered yet, now and then first as somebody who may not, and has those sent again that may
   *  not have arrived. */
  tap(): void;
  readonly taps: number;
};

/** A button of what may have arrived: whoever taps it may get it twice, which is no harm for a question. */
const sendsAgain = "r:";
const isOfQuestion = /^a question of mine /i;
const stranger = { id: 9999, name: "Mallory" };

export function createCrowd(bot: FakeBot, random: () => number): Crowd {
  const said: SaidToken[] = [];
  const tapped = new Set<string>();

  const tapCard = (card: BotMessage) => {
    const name = `${card.chat_id}/${card.message_id}`;
    const [first, ...others] = card.buttons.flat();
    if (first === undefined || tapped.has(name)) return;
    if (first.data.startsWith(sendsAgain) && !isOfQuestion.test(card.text)) return;
    tapped.add(name);
    const chosen = [first, ...others].find(({ label }) => /once|skip/i.test(label)) ?? first;
    if (random() < 0.2) bot.tap(card, chosen.label, { from: stranger });
    bot.tap(card, chosen.label, { from: card.chat_id > 0 ? card.chat_id : firstUser });
  };

  return {
    said,
    speak: ({ user, place, wish }) => {
      const token = `w${said.length + 1}`;
      const isPrivate = typeof place === "number" && place > 0;
      const text = `${isPrivate ? "" : `@${bot.username} `}${token} ${wish}`.trim();
      const { update_id, message_id, chat_id: chat } = bot.say(text, { from: user, in: place });
      const topic = typeof place === "object" ? place.topic : undefined;
      said.push({ token, update_id, message_id, chat, topic });
    },
    tap: () => {
      for (const message of bot.sent) if (!message.is_deleted) tapCard(message);
    },
    get taps() {
      return tapped.size;
    },
  };
}

type Mishap = { readonly methods: RegExp; readonly share: number; readonly fault: Fault };

/** What goes wrong with a Bot API in one of so many calls. */
const mishaps: readonly Mishap[] = [
  { methods: /./, share: 0.02, fault: faults.rateLimited(1) },
  { methods: /./, share: 0.02, fault: faults.reset },
  { methods: /./, share: 0.02, fault: faults.serverError },
  { methods: /./, share: 0.03, fault: faults.answerDropped },
  { methods: /./, share: 0.01, fault: faults.answerReplacedByPage },
  { methods: /./, share: 0.01, fault: faults.badGatewayPage },
  { methods: /getUpdates/, share: 0.02, fault: faults.conflict },
  { methods: /getUpdates/, share: 0.02, fault: faults.malformedJson },
];

export type Weather = { readonly made: ReadonlyMap<string, number>; clear(): void };

/** Calls go wrong, and updates come twice and in the wrong order. */
export function makeBadWeather(bot: FakeBot, random: () => number): Weather {
  const made = new Map<string, number>();
  const count = (what: string) => made.set(what, (made.get(what) ?? 0) + 1);
  bot.failWhen((method) => {
    if (random() < 0.2) bot.mangle(random() < 0.5 ? manglers.twice : manglers.reversed);
    let point = random();
    for (const { methods, share, fault } of mishaps) {
      if (!methods.test(method)) continue;
      point -= share;
      if (point >= 0) continue;
      count(`${method} ${nameOf(fault)}`);
      return fault;
    }
    return undefined;
  });
  return { made, clear: () => bot.mend() };
}

function nameOf(fault: Fault): string {
  const found = Object.entries(faults).find(([, one]) => one === fault);
  return found?.[0] ?? "rateLimited";
}

import type { Account, BotDraft, BotMessage, TelegramCall } from "./account.ts";
import type { Fault } from "./faults.ts";
import {
  ann,
  bringTo,
  type Brought,
  changeSaid,
  type Person,
  type Place,
  react,
  type Said,
  say,
  type SayOptions,
  stopGeneration,
  type Tap,
  tap,
  type TapOptions,
  upgrade,
} from "./people.ts";
import type { Mangle, Update } from "./update-queue.ts";
import type { UntilOptions, Waiting } from "./waiting.ts";
import type { Params } from "./wire.ts";

/** What a test does with one bot, and sees of it. */
export type FakeBot = {
  readonly account: Account;
  readonly token: string;
  readonly id: number;
  readonly username: string;

  /** A person writes. */
  say(text: string, options?: SayOptions): Said;
  edit(said: Said, text: string): Said;
  react(said: Said, emoji: string, from?: number | Person): number;
  /** The group becomes a supergroup with this number. */
  upgrade(group: number, to: number): void;
  /** @param label of the button, or a part of it */
  tap(message: BotMessage, label: string, options?: TapOptions): Tap;
  /** Taps the native stop button of a draft; of the last one unless told. */
  stopGeneration(chatId: number, draftId?: number): number;
  /** An update as it is given, under the next number unless it has one. */
  post(update: Params): Update | undefined;
  /** Brings an update again, also one that was confirmed. */
  again(updateId: number): void;
  skipUpdateIds(count: number): void;
  mangle(change: Mangle, times?: number): void;
  /** The bot knows the chat without a word said in it. */
  meet(place: Place): void;
  block(chatId: number): void;
  unblock(chatId: number): void;

  /** Posts what waits to the webhook, one after another; what it takes is confirmed. @param as another address or secret */
  bring(as?: { readonly url?: string; readonly secret?: string | null }): Promise<Brought[]>;
  readonly webhook: Account["webhook"];

  /** The next calls of the method, or of any (`*`), go wrong in this way. */
  fail(method: string, fault: Fault, times?: number): void;
  /** Asked for each call that `fail` does not befall. */
  failWhen(choose: (method: string) => Fault | undefined): void;
  mend(): void;

  readonly calls: readonly TelegramCall[];
  callsOf(method: string): readonly TelegramCall[];
  /** All messages of the bot in the order of sending, as they are now. */
  readonly sent: readonly BotMessage[];
  readonly drafts: readonly BotDraft[];
  readonly commands: Account["commands"];
  readonly isPolled: boolean;
  /** Updates that were not confirmed yet. */
  readonly unconfirmed: readonly Update[];
  sentTo(place: Place): readonly BotMessage[];
  /** The word that a tap got, or undefined. */
  tapAnswer(tapId: string): string | undefined;

  /** Waits for a message of the bot's (as it is now, so also after an edit). @param from index in `sent` of the first that counts */
  message(
    matches: MessageTest,
    options?: UntilOptions & { readonly from?: number },
  ): Promise<BotMessage>;
  call(method: string, matches?: (call: TelegramCall) => boolean): Promise<TelegramCall>;
  until: Waiting["until"];
};

export type MessageTest = string | RegExp | ((message: BotMessage) => boolean);

function doesMatch(message: BotMessage, test: MessageTest): boolean {
  if (typeof test === "function") return test(message);
  return typeof test === "string" ? message.text.includes(test) : test.test(message.text);
}

const placeOf = (place: Place) => (typeof place === "number" ? { chat: place } : place);

async function bring(
  account: Account,
  as: Parameters<FakeBot["bring"]>[0] = {},
): Promise<Brought[]> {
  const target = {
    url: as.url ?? account.webhook?.url ?? "",
    secret: as.secret === undefined ? account.webhook?.secret : (as.secret ?? undefined),
  };
  const brought: Brought[] = [];
  for (const update of account.updates.waiting) {
    const one = await bringTo(target, update);
    brought.push(one);
    if (one.status >= 200 && one.status < 300) account.updates.remove(update);
  }
  return brought;
}

function people(account: Account) {
  return {
    say: (text: string, options?: SayOptions) => say(account, text, options),
    edit: (said: Said, text: string) => changeSaid(account, said, text),
    react: (said: Said, emoji: string, from: number | Person = ann) =>
      react(account, said, emoji, from),
    upgrade: (group: number, to: number) => upgrade(account, group, to),
    tap: (message: BotMessage, label: string, options?: TapOptions) =>
      tap(account, message, label, options),
    stopGeneration: (chatId: number, draftId = account.drafts.at(-1)?.draft_id ?? 1) =>
      stopGeneration(account, chatId, draftId),
    post: (update: Params) => account.updates.push(update),
    again: (updateId: number) => {
      const update = account.updates.all.find((one) => one.update_id === updateId);
      if (update === undefined) throw new Error(`There was no update ${updateId}.`);
      account.updates.again(update);
    },
    skipUpdateIds: (count: number) => account.updates.skip(count),
    mangle: (change: Mangle, times = 1) => account.updates.mangle(change, times),
  };
}

function rooms(account: Account) {
  const blocking = (chatId: number, isBlocked: boolean) => {
    const room = account.world.find(account.id, chatId);
    if (room !== undefined) room.isBlocked = isBlocked;
  };
  return {
    meet: (place: Place) => {
      const { chat, topic } = placeOf(place);
      const forum = topic === undefined ? {} : ({ is_forum: true } as const);
      const room = account.world.meet(account.id, {
        id: chat,
        type: chat > 0 ? "private" : "supergroup",
        ...forum,
      });
      if (topic !== undefined && topic !== 1) room.topics.add(topic);
    },
    block: (chatId: number) => blocking(chatId, true),
    unblock: (chatId: number) => blocking(chatId, false),
  };
}

function isAt({ chat_id: chatId, thread_id: thread }: BotMessage, place: Place): boolean {
  const { chat, topic } = placeOf(place);
  return chatId === chat && (topic === undefined || (thread ?? 1) === topic);
}

export function createFakeBot(account: Account, { until, changed }: Waiting): FakeBot {
  const { token, id, username, calls, sent, drafts, faults } = account;
  const callsOf = (method: string) => calls.filter((one) => one.method === method);
  return {
    account,
    token,
    id,
    username,
    ...people(account),
    ...rooms(account),
    bring: (as) => bring(account, as).finally(changed),
    get webhook() {
      return account.webhook;
    },
    fail: (method, fault, times = 1) => faults.add(method, fault, times),
    failWhen: faults.when,
    mend: faults.clear,
    calls,
    callsOf,
    sent,
    drafts,
    get commands() {
      return account.commands;
    },
    get isPolled() {
      return account.updates.isPolled;
    },
    get unconfirmed() {
      return account.updates.waiting;
    },
    sentTo: (place) => sent.filter((one) => !one.is_deleted && isAt(one, place)),
    tapAnswer: (tapId) => account.tapAnswers.get(tapId)?.text,
    message: (matches, { from = 0, ...options } = {}) =>
      until(() => sent.slice(from).find((one) => !one.is_deleted && doesMatch(one, matches)), {
        what: `A message that matches ${String(matches)}`,
        ...options,
      }),
    call: (method, matches = () => true) =>
      until(() => callsOf(method).find(matches), { what: `A call of ${method}` }),
    until,
  };
}

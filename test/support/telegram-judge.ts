import type { BotMessage } from "./telegram/account.ts";

/** What became of what people said to a bot: judged by what they saw, and by what the service says of itself. */

export type SaidToken = {
  readonly token: string;
  readonly update_id: number;
  readonly message_id: number;
  readonly chat: number;
  readonly topic: number | undefined;
};

export type SeenMessage = Pick<
  BotMessage,
  "chat_id" | "thread_id" | "message_id" | "text" | "reply_to" | "versions" | "is_deleted"
>;

/** A delivery of a reply: to which token, how it ended, and which messages are it. */
export type ToldReply = {
  readonly token: string;
  readonly state: string;
  readonly chat: number;
  readonly message_ids: readonly number[];
};

export type Evidence = {
  readonly said: readonly SaidToken[];
  /** The highest offset that was asked for: what lies below was confirmed. */
  readonly confirmedBelow: number;
  readonly seen: readonly SeenMessage[];
  readonly replies: readonly ToldReply[];
};

/** @returns in words what is wrong; nothing where all is well */
export function faultsIn(evidence: Evidence): string[] {
  return [
    ...evidence.said.flatMap((said) => answerFaults(evidence, said)),
    ...evidence.seen.flatMap((message) => privacyFaults(evidence.said, message)),
  ];
}

function answerFaults({ seen, replies, confirmedBelow }: Evidence, said: SaidToken): string[] {
  const { token, update_id } = said;
  const its = replies.filter((reply) => reply.token === token);
  const answers = seen.filter(
    (message) =>
      !message.is_deleted &&
      (holds(message.text, `answered ${token}`) || its.some((reply) => isPartOf(message, reply))),
  );
  if (answers.length > 1) return [`${token} was answered ${answers.length} times`];
  const [answer] = answers;
  if (answer !== undefined) return placeFaults(said, answer);
  const states = its.map(({ state }) => state);
  if (states.includes("unknown") || update_id >= confirmedBelow) return [];
  return [`${token} was confirmed, and not answered: ${states.join(", ") || "no reply was due"}`];
}

/** A run that failed answers in words of its own. */
function isPartOf(message: SeenMessage, { chat, message_ids }: ToldReply): boolean {
  return chat === message.chat_id && message_ids.includes(message.message_id);
}

function placeFaults({ token, message_id }: SaidToken, { reply_to }: SeenMessage): string[] {
  if (reply_to === undefined || reply_to === message_id) return [];
  return [`${token} stands under the message ${reply_to}, not under ${message_id}`];
}

/** Whoever is answered may see that token, and nobody else. */
function privacyFaults(said: readonly SaidToken[], message: SeenMessage): string[] {
  const tokens = new Set(message.versions.flatMap(({ text }) => text.match(/\bw\d+\b/g) ?? []));
  return said
    .filter(({ token }) => tokens.has(token))
    .filter(({ chat, topic }) => chat !== message.chat_id || topic !== message.thread_id)
    .map(({ token, chat, topic }) => {
      const from = topic === undefined ? chat : `${chat}/${topic}`;
      return `${token} of ${from} was seen in ${message.chat_id}/${message.thread_id ?? ""}`;
    });
}

function holds(text: string, words: string): boolean {
  return new RegExp(`\\b${words}\\b`).test(text);
}

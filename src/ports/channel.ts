import type { ChannelIdentity, ReceivedUpdates } from "../schema/activities.ts";
import type { OutboundMessage, SentPart } from "../schema/outbound.ts";

/** One account of a service that people write to: one Telegram bot, one webhook.
 *
 *  All calls reject with an AgentError: `channel.unauthorized` (the token is refused), `channel.conflict` (somebody else receives for
 *  the same account), `channel.rate_limited` (with `retryAfterMs`; nothing was sent), `channel.unreachable` (nothing was sent: the
 *  connection failed before, or the service said that it failed), `channel.answer_lost` (it was sent, and nobody knows whether it
 *  arrived), `channel.moved` (nothing was sent: the group has another number now, which is not let in), `channel.refused` (the service says no for
 *  good: what, where), `activity.aborted` on cancel. Only the third, the fourth and `channel.moved` are retryable. No message of an error holds a token. */
export type Channel = {
  /** What a repeated send means: two messages, or, since the other side honours `key`, one. */
  readonly sends: "once" | "keyed";
  /** How updates come: they are asked for, or the service brings them. */
  readonly intake: "polling" | "webhook";
  /** Checks the credentials, says what the bot can do, makes the service send updates in this way. Repeatable. */
  open(signal: AbortSignal): Promise<ChannelIdentity>;
  /** Asks who the account is, and changes nothing there. */
  identify(signal: AbortSignal): Promise<ChannelIdentity>;
  /** Waits for updates after the cursor, at most for about 50 s. Only for polling. Without effect on what is asked for later: the
   *  cursor of the next call confirms what this one brought. */
  receive(cursor: string | null, signal: AbortSignal): Promise<ReceivedUpdates>;
  /** Sends one part of a message. @param part counted from 0 */
  send(message: OutboundMessage, part: number, call: SendCall): Promise<SentPart>;
  /** Replaces what a message of ours says, its buttons too. Repeatable; saying the same again is no error. The body's first part only:
   *  `parts` tells how many there are. A message that does not exist any more: `channel.refused` with `details.is_gone` true. */
  edit(messageId: string, message: OutboundMessage, call: SendCall): Promise<SentPart>;
  /** Fetches a file. Rejects with `file.too_large` before or while it comes. */
  fetch(fileId: string, limits: FetchLimits, signal: AbortSignal): Promise<Fetched>;
  readonly live: LiveChannel;
  close(): Promise<void>;
};

export type SendCall = {
  /** The same for every attempt. */
  readonly key: string;
  readonly signal: AbortSignal;
};

export type FetchLimits = { readonly maxBytes: number };
export type Fetched = { readonly bytes: Uint8Array; readonly mediaType: string | null };

/** What is shown while something happens. Best effort: nothing of it is repeated, no call waits longer than some seconds, and none
 *  rejects; `false` says that it was not shown. */
export type LiveChannel = {
  /** Seen: a reaction to the person's message. */
  seen(at: LivePlace & { readonly messageId: string }): Promise<boolean>;
  typing(at: LivePlace): Promise<boolean>;
  /** What is written so far of the answer that `draft` names, "" for nothing yet; false also where the channel has no drafts here. */
  draft(at: LivePlace & { readonly draft: number; readonly text: string }): Promise<boolean>;
  /** A message of ours that shows what is written so far, for where there are no drafts. @returns its id, or undefined */
  preview(at: LivePlace & { readonly text: string }): Promise<string | undefined>;
  changePreview(
    at: LivePlace & { readonly messageId: string; readonly text: string },
  ): Promise<boolean>;
  /** The word that a tapped button shows. */
  answerTap(tapId: string, text: string): Promise<boolean>;
};

export type LivePlace = { readonly scope: string };

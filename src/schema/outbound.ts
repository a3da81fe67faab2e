/** What goes out over a channel, in words that every channel shares; adapters render it for their service. */

/** `data` comes back when it is tapped; at most 64 bytes. */
export type Button = { readonly label: string; readonly data: string };

/** A part of a card; everything in it is shown as it stands, never read as markup. */
export type CardPart =
  | { readonly kind: "title"; readonly text: string }
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "fact"; readonly name: string; readonly value: string }
  /** Foreign text, in a block of its own. */
  | { readonly kind: "code"; readonly text: string };

export type Body =
  /** What a model wrote: Markdown, rendered where the channel can, shown plain where it cannot. May be split. */
  | { readonly kind: "markdown"; readonly text: string }
  /** Our own words. May be split. */
  | { readonly kind: "plain"; readonly text: string }
  /** A question or its outcome: shown whole in one message, or not at all. */
  | { readonly kind: "card"; readonly parts: readonly CardPart[] };

export type OutboundMessage = {
  /** The conversation's, as `chat[/topic]`. */
  readonly scope: string;
  readonly body: Body;
  /** Rows of buttons. */
  readonly buttons: readonly (readonly Button[])[];
  /** The message that it answers, where the channel can show that. */
  readonly reply_to: string | null;
  /** The next message of the person is meant to answer this one. */
  readonly wants_reply: boolean;
};

/** `parts`: how many messages the body needs in this channel. */
export type SentPart = { readonly message_id: string; readonly parts: number };

/** Reads pages of the public internet, for tools that follow a model's wish. One attempt, no cookies, no credentials.
 *
 *  Rejects with an AgentError and nothing else: `web.blocked` (the address, or one that its name leads to, is not public; a
 *  scheme, port or user part that is refused; too many redirects), `web.unreachable` (no name, no connection, no answer in
 *  time), `web.unreadable` (what came is no text, or broke off), `activity.aborted` (`signal` fired). */
export type Web = {
  get(url: string, signal: AbortSignal): Promise<WebAnswer>;
};

/** `page`: text, HTML as Markdown. `moved`: it leads to another host, which may need another permission; nothing was asked there. */
export type WebAnswer =
  | ({ readonly kind: "page" } & WebPage)
  | { readonly kind: "moved"; readonly to: string };

export type WebPage = {
  /** After redirects on the same host. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly title: string | null;
  readonly text: string;
  /** Bytes that were read, decompressed. */
  readonly bytes: number;
  /** False when the page was longer than what is read of one. */
  readonly isWhole: boolean;
};

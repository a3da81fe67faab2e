import type { LiveChannel } from "../../../ports/channel.ts";

/** Where a run's text is shown while it is written. */

export type ScreenParts = {
  readonly live: LiveChannel;
  readonly scope: string;
  /** Names the draft; not 0. */
  readonly draft: number;
  readonly isPrivate: boolean;
  /** The message that shows it already, from before a restart. */
  readonly known: () => Promise<string | undefined>;
  /** Resolves when it is stored that this message shows it: only then it may be changed. */
  readonly keep: (messageId: string) => Promise<void>;
};

/** A message whose answer was lost may stand there unseen by us. */
const mostAttempts = 3;

/** A draft in private, as long as the channel shows drafts; else a message of ours that is changed. */
export class LiveScreen {
  private readonly parts: ScreenParts;
  private isDrafting: boolean;
  private isOver = false;
  private isChanging = false;
  private message: string | undefined;
  private attempts = 0;

  /** A change was on its way when the reply began its own: which came last, nobody knows. */
  mayHideReply = false;

  constructor(parts: ScreenParts) {
    this.parts = parts;
    this.isDrafting = parts.isPrivate;
  }

  get messageId(): string | undefined {
    return this.message;
  }

  get isDraft(): boolean {
    return this.isDrafting;
  }

  /** Nothing new is shown from now on. */
  end(): void {
    this.isOver = true;
    this.mayHideReply = this.isChanging;
  }

  /** @param text "" is shown by a draft only   @returns whether it was shown; one call at a time */
  async show(text: string): Promise<boolean> {
    if (this.isDrafting && (await this.showDraft(text))) return true;
    this.isDrafting = false;
    if (text === "") return false;
    this.message ??= await this.parts.known();
    if (this.isOver) return false;
    return this.message === undefined
      ? this.sendMessage(text)
      : this.changeMessage(this.message, text);
  }

  private showDraft(text: string): Promise<boolean> {
    const { live, scope, draft } = this.parts;
    return live.draft({ scope, draft, text });
  }

  private async sendMessage(text: string): Promise<boolean> {
    const { live, scope, keep } = this.parts;
    if (this.attempts === mostAttempts) return false;
    this.attempts += 1;
    const messageId = await live.preview({ scope, text });
    if (messageId === undefined) return false;
    this.message = messageId;
    try {
      await keep(messageId);
    } catch (error) {
      this.isOver = true;
      throw error;
    }
    return true;
  }

  private async changeMessage(messageId: string, text: string): Promise<boolean> {
    const { live, scope } = this.parts;
    this.isChanging = true;
    try {
      return await live.changePreview({ scope, messageId, text });
    } finally {
      this.isChanging = false;
    }
  }
}

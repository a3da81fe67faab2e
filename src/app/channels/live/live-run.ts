import type { Clock } from "../../../ports/clock.ts";
import type { LiveBudget } from "./live-budget.ts";
import type { LiveScreen } from "./live-screen.ts";
import { LiveText } from "./live-text.ts";

/** Between two showings: drafts, and changes of a message in private and in a group, where a channel counts them with what it sends. */
const paceMs = { draft: 700, message: 1_000, group: 3_000 } as const;
/** A draft is gone after 30 s. */
const draftAgesMs = 20_000;
/** A draft without a text says that there is thinking, and has the button that stops it. */
const thinkingAfterMs = 1_000;
const firstPauseMs = 2_000;
/** Others have used the account's budget. */
const budgetPauseMs = 1_000;
const longestPauseMs = 30_000;

export type LiveRunParts = {
  readonly clock: Clock;
  readonly screen: LiveScreen;
  readonly budget: LiveBudget;
  readonly isPrivate: boolean;
  /** Takes care of what a call rejects with. */
  readonly tried: (call: Promise<unknown>) => void;
};

/** Shows one run's text at a pace that the channel bears; what comes meanwhile is shown with the next. */
export class LiveRun {
  readonly text = new LiveText();
  private readonly parts: LiveRunParts;
  private isWorking = false;
  private isOver = false;
  private isShowing = false;
  private shown: string | undefined;
  private shownAt = 0;
  private notBefore: number;
  private readonly thinkingAt: number;
  private pauseMs = 0;
  private cancelTimer: (() => void) | undefined;
  private whenIdle: (() => void) | undefined;

  constructor(parts: LiveRunParts) {
    this.parts = parts;
    const now = parts.clock.monotonic();
    this.notBefore = now + (parts.screen.isDraft ? 0 : paceMs.message);
    this.thinkingAt = now + thinkingAfterMs;
  }

  work(): void {
    this.isWorking = true;
    this.changed();
  }

  /** It waits for somebody. */
  rest(): void {
    this.isWorking = false;
    this.cancel();
  }

  /** Nothing is shown any more. */
  end(): void {
    this.isOver = true;
    this.rest();
    this.parts.screen.end();
  }

  /** Resolves when no call is on its way. */
  async idle(): Promise<void> {
    if (this.isShowing) await new Promise<void>((resolve) => (this.whenIdle = resolve));
  }

  changed(): void {
    if (!this.isWorking || this.isOver || this.isShowing) return;
    const due = this.nextDue(this.text.toMarkdown());
    if (due === undefined) return;
    const { clock } = this.parts;
    this.cancel();
    this.cancelTimer = clock.after(Math.max(0, due - clock.monotonic()), () => {
      this.cancelTimer = undefined;
      this.showWithinBudget();
    });
  }

  /** What is new as soon as the pace allows; what is old again, before a draft of it is gone. */
  private nextDue(text: string): number | undefined {
    const { isDraft } = this.parts.screen;
    if (!isDraft && (text === "" || text === this.shown)) return undefined;
    if (text === this.shown) return Math.max(this.notBefore, this.shownAt + draftAgesMs);
    return text === "" ? Math.max(this.notBefore, this.thinkingAt) : this.notBefore;
  }

  private cancel(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }

  private showWithinBudget(): void {
    const { budget, clock, tried } = this.parts;
    if (budget.take()) return tried(this.show());
    this.notBefore = clock.monotonic() + budgetPauseMs;
    this.changed();
  }

  private async show(): Promise<void> {
    const text = this.text.toMarkdown();
    this.isShowing = true;
    try {
      this.rememberShown(text, await this.parts.screen.show(text));
    } catch (error) {
      this.rememberShown(text, false);
      throw error;
    } finally {
      this.isShowing = false;
      this.whenIdle?.();
      this.changed();
    }
  }

  /** A channel that did not show it has its reasons: it is left alone for a while, longer each time. */
  private rememberShown(text: string, isShown: boolean): void {
    const { clock, screen, isPrivate } = this.parts;
    if (isShown) [this.shown, this.shownAt] = [text, clock.monotonic()];
    this.pauseMs = isShown ? 0 : Math.min(longestPauseMs, Math.max(firstPauseMs, 2 * this.pauseMs));
    const messagePace = isPrivate ? paceMs.message : paceMs.group;
    const pace = screen.isDraft ? paceMs.draft : messagePace;
    this.notBefore = clock.monotonic() + Math.max(pace, this.pauseMs);
  }
}

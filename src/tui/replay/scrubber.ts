import type { ReplayFrame } from "../../schema/shown/replay.ts";
import type { App } from "../app/app.ts";
import { own, type SafeText } from "../frame/safe-text.ts";
import { Tape } from "./tape.ts";

/** So many frames before the last known one, the next page is asked for. */
const nearEnd = 50;

/** Where in a run's recorded steps somebody is, and where they are going. */
export class Scrubber {
  readonly tape: Tape;
  index = 0;
  private readonly app: App;
  /** Rises with each key, so that a long search ends when another one is pressed. */
  private going = 0;
  private isSeeking = false;

  constructor(app: App, runId: string) {
    this.app = app;
    this.tape = new Tape(app, runId);
  }

  get current(): ReplayFrame | undefined {
    return this.tape.frames[this.index];
  }

  begin(): void {
    void this.tape.more();
  }

  step(by: number): void {
    this.stop();
    const isBeyond = this.index + by >= this.tape.frames.length;
    this.goTo(this.index + by);
    if (isBeyond) void this.continueInto();
  }

  first(): void {
    this.stop();
    this.goTo(0);
  }

  /** Reads all that is left. */
  last(): Promise<void> {
    return this.search(() => {
      this.goTo(this.tape.frames.length - 1);
      return this.tape.isComplete;
    });
  }

  /** To the next answer of the model or result of a tool, or to the one before. */
  seek(direction: 1 | -1): Promise<void> {
    let at = this.index;
    return this.search(() => {
      while (at + direction >= 0 && at + direction < this.tape.frames.length) {
        at += direction;
        if (!isLandmark(this.tape.frames[at])) continue;
        this.goTo(at);
        return true;
      }
      if (direction > 0 && !this.tape.isComplete) return false;
      this.app.say(own`no ${direction > 0 ? own`later` : own`earlier`} answer or result`);
      return true;
    });
  }

  doing(): SafeText {
    if (this.isSeeking) return own`reading on … `;
    if (this.tape.isLoading) return own`reading … `;
    return own``;
  }

  private stop(): void {
    this.going += 1;
    this.isSeeking = false;
  }

  private goTo(index: number): void {
    const { frames, isComplete } = this.tape;
    this.index = Math.max(0, Math.min(frames.length - 1, index));
    if (!isComplete && this.index + nearEnd >= frames.length) void this.tape.more();
  }

  /** Looks page by page until it is found or another key was pressed. */
  private async search(isFound: () => boolean): Promise<void> {
    this.stop();
    const { going } = this;
    this.isSeeking = true;
    while (!isFound()) {
      if (!(await this.tape.more()) && !this.tape.isComplete) break;
      if (going !== this.going) return;
    }
    this.isSeeking = false;
    this.app.changed();
  }

  /** Behind the last step of a run that goes on, there may be more by now. */
  private async continueInto(): Promise<void> {
    const { going } = this;
    const before = this.tape.frames.length;
    if (!(await this.tape.more()) || going !== this.going) return;
    this.goTo(before);
  }
}

function isLandmark(frame: ReplayFrame | undefined): boolean {
  return frame?.what?.kind === "answer" || frame?.what?.kind === "result";
}

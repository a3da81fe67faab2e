import type { Clock } from "../../ports/clock.ts";
import type { ActorStateRow, ActorStep } from "../../schema/actor-view.ts";
import type { Notifications } from "../../schema/protocol.ts";

type Delta = Notifications["actors.delta"];

export type ActorWatchOptions = {
  readonly clock: Clock;
  /** All that there are now. */
  readonly rows: () => Promise<readonly ActorStateRow[]>;
  /** Resolves when the client has read it, but for a little. */
  readonly tell: (delta: Delta) => Promise<void>;
};

const pauseMs = 50;
const unreadableMs = 1_000;

/** Steps that may wait. When there are more, none is kept: the client is told how things are once it reads again. */
const mostSteps = 1_000;

/** One client's view of the actors: what happened within a pause is one delta, and what happens after a quiet time is told at once.
 *  Nothing is told before `begin`. */
export class ActorWatch {
  private readonly options: ActorWatchOptions;
  private rows = new Map<string, ActorStateRow>();
  private steps: ActorStep[] = [];
  /** Steps that the client does not hear of, since it was last told of such. */
  private lost = 0;
  private isTelling = true;
  private isClosed = false;
  /** Those up to it are known to the client. */
  private knownSeq = 0;
  private notBefore = 0;
  private cancelTimer: (() => void) | undefined;

  constructor(options: ActorWatchOptions) {
    this.options = options;
  }

  /** @param knownSeq the newest step that the client was told of by other means, or 0 */
  begin(knownSeq: number): void {
    this.knownSeq = knownSeq;
    this.steps = this.steps.filter(({ seq }) => seq > knownSeq);
    this.goOn();
  }

  hear(step: ActorStep, row: ActorStateRow | undefined): void {
    if (step.seq <= this.knownSeq) return;
    if (this.lost > 0) return this.lose(1);
    this.steps.push(step);
    if (row !== undefined) this.rows.set(row.address, row);
    if (this.steps.length > mostSteps) return this.lose(0);
    this.tellSoon();
  }

  /** @param count of steps that were not heard at all */
  lose(count: number): void {
    this.lost += this.steps.length + count;
    this.forget();
    this.tellSoon();
  }

  close(): void {
    this.isClosed = true;
    this.cancelTimer?.();
    this.forget();
  }

  private forget(): void {
    this.steps = [];
    this.rows = new Map();
  }

  private tellSoon(): void {
    if (this.isClosed || this.isTelling || this.cancelTimer !== undefined) return;
    const { clock } = this.options;
    this.cancelTimer = clock.after(Math.max(0, this.notBefore - clock.monotonic()), () => {
      this.cancelTimer = undefined;
      void this.tell();
    });
  }

  private async tell(): Promise<void> {
    this.isTelling = true;
    const delta = this.lost > 0 ? await this.present() : this.take();
    this.pause(delta === undefined ? unreadableMs : pauseMs);
    if (delta !== undefined && !this.isClosed) await this.options.tell(delta);
    this.goOn();
  }

  private pause(ms: number): void {
    this.notBefore = this.options.clock.monotonic() + ms;
  }

  private goOn(): void {
    this.isTelling = false;
    if (this.lost > 0 || this.steps.length > 0) this.tellSoon();
  }

  private take(): Delta {
    const { rows, steps } = this;
    this.forget();
    return { rows: [...rows.values()], steps, dropped: 0 };
  }

  /** What happens while the rows are read is told after them. */
  private async present(): Promise<Delta | undefined> {
    const dropped = this.lost;
    this.lost = 0;
    try {
      return { rows: await this.options.rows(), steps: [], dropped };
    } catch {
      this.lose(dropped);
      return undefined;
    }
  }
}

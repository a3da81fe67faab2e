import type { LiveChannel } from "../../../ports/channel.ts";
import type { LiveBudget } from "./live-budget.ts";
import type { ConnectorUpdate } from "../../../schema/rows/channel-rows.ts";

const atOnce = 4;
const mostWaiting = 50;

export type Eyes = { readonly live: LiveChannel; readonly budget: LiveBudget };

type Sight = { readonly live: LiveChannel; readonly scope: string; readonly messageId: string };

/** Tells people of one connector that their messages were taken; of a flood, only some. */
export class LiveSeen {
  private readonly tried: (call: Promise<unknown>) => void;
  private waiting: Sight[] = [];
  private running = 0;

  /** @param tried takes care of what a call rejects with */
  constructor(tried: (call: Promise<unknown>) => void) {
    this.tried = tried;
  }

  see({ live, budget }: Eyes, updates: readonly ConnectorUpdate[]): void {
    for (const { verdict, scope, message_id: messageId } of updates) {
      if (this.waiting.length === mostWaiting) break;
      if (verdict !== "accepted" || scope === null || messageId === null) continue;
      if (!budget.take()) break;
      this.waiting.push({ live, scope, messageId });
    }
    this.goOn();
  }

  stop(): void {
    this.waiting = [];
  }

  private goOn(): void {
    while (this.running < atOnce) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      this.tried(this.show(next));
    }
  }

  private async show({ live, scope, messageId }: Sight): Promise<void> {
    this.running += 1;
    try {
      await live.seen({ scope, messageId });
    } finally {
      this.running -= 1;
      this.goOn();
    }
  }
}

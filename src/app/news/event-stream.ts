import type { SidecarEvent } from "../../schema/shown/news.ts";

const remembered = 1_000;

/** The newest events, with the ids under which the audit trail, the rows and the log have the rest. */
export class EventStream {
  private events: SidecarEvent[] = [];

  hear(event: SidecarEvent): void {
    this.events.push(event);
    if (this.events.length >= 2 * remembered) this.events = this.events.slice(-remembered);
  }

  /** @returns oldest first */
  newest(limit: number, matches: (event: SidecarEvent) => boolean): readonly SidecarEvent[] {
    if (limit === 0) return [];
    return this.events.slice(-remembered).filter(matches).slice(-limit);
  }
}

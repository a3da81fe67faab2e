import type { SidecarEvent, SidecarEventType } from "../../schema/shown/news.ts";
import { sidecarEventTypes } from "../../schema/shown/news.ts";
import type { ShownMetrics } from "../../schema/shown/observed.ts";
import { Histogram } from "./histogram.ts";

/** A model may ask for tools that do not exist, under as many names as it likes. */
const mostTools = 100;
const otherTools = "(others)";

/** Counts since the start of the service, in memory. */
export class Metrics {
  private readonly events = new Map<SidecarEventType, number>();
  private readonly tools = new Map<string, { done: number; failed: number; cancelled: number }>();
  private readonly runs = new Histogram();
  private readonly calls = new Histogram();
  private readonly tokens = { input_tokens: 0, output_tokens: 0 };

  hear(event: SidecarEvent): void {
    this.events.set(event.type, (this.events.get(event.type) ?? 0) + 1);
    if (event.type === "ToolExecuted") {
      this.calls.add(event.duration_ms);
      const tally = this.toolTally(event.tool);
      if (event.status === "done" || event.status === "cancelled") tally[event.status] += 1;
      else tally.failed += 1;
    }
    if (event.type === "ReplyReady" || event.type === "TaskFailed") {
      this.runs.add(event.duration_ms);
      this.tokens.input_tokens += event.usage.input_tokens;
      this.tokens.output_tokens += event.usage.output_tokens;
    }
  }

  private toolTally(tool: string) {
    const isNew = !this.tools.has(tool);
    const name = isNew && this.tools.size >= mostTools ? otherTools : tool;
    const tally = this.tools.get(name) ?? { done: 0, failed: 0, cancelled: 0 };
    this.tools.set(name, tally);
    return tally;
  }

  show(): ShownMetrics {
    return {
      events: Object.fromEntries(
        sidecarEventTypes.map((type) => [type, this.events.get(type) ?? 0]),
      ),
      tools: [...this.tools].map(([tool, tally]) => ({ tool, ...tally })),
      tokens: { ...this.tokens },
      run_duration: this.runs.show(),
      tool_duration: this.calls.show(),
    };
  }
}

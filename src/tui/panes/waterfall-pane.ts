import { moment } from "../../text/times.ts";
import type { App } from "../app/app.ts";
import type { Hint, Pane } from "../app/pane.ts";
import { throttled } from "../app/timers.ts";
import type { Line, Size } from "../frame/frame.ts";
import { blank, fitLine, line } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import { legend, waterfallLines } from "../look/waterfall.ts";
import { barsOf, type TraceRuns } from "../model/trace-bars.ts";
import type { Key } from "../screen.ts";
import { Scroll } from "../widgets/scroll.ts";

type Known = { readonly trace: string; readonly runs: TraceRuns };

const askEveryMs = 500;
const mostRuns = 10;

/** What was done for one message, over time: its runs, their steps, tool calls, and how long people were asked. */
export class WaterfallPane implements Pane {
  readonly hints: readonly Hint[] = [{ keys: own`↑↓`, does: own`scroll` }];
  private readonly app: App;
  private readonly traceOfChoice: () => string | undefined;
  private readonly scroll = new Scroll();
  private readonly askSoon: () => void;
  private known: Known | undefined;
  private askedFor = "";
  private lineCount = 0;

  /** @param traceOfChoice of what is chosen beside it; the trace that all panes are narrowed to goes first */
  constructor(app: App, traceOfChoice: () => string | undefined) {
    this.app = app;
    this.traceOfChoice = traceOfChoice;
    this.askSoon = throttled(app.timers, askEveryMs, () => void this.ask());
  }

  title(): SafeText {
    const trace = this.trace();
    return trace === undefined ? own`waterfall` : own`waterfall of ${safe(trace)}`;
  }

  draw({ columns, rows }: Size): Picture {
    const trace = this.trace();
    if (trace === undefined) return { lines: [line(own`choose a row with a trace`, grey)] };
    this.notice(trace);
    if (this.known?.trace !== trace) return { lines: [line(own`asking …`, grey)] };
    const lines = this.lines(this.known.runs, columns);
    this.lineCount = lines.length;
    return { lines: this.scroll.window(lines, { columns, rows }) };
  }

  key(key: Key): boolean {
    return this.scroll.key(key, this.lineCount);
  }

  trace(): string | undefined {
    const { runs } = this.app.model;
    return this.app.trace ?? this.traceOfChoice() ?? runs[0]?.trace_id;
  }

  private lines(runs: TraceRuns, columns: number): Line[] {
    const { model, timers } = this.app;
    const actors = model.actors.all();
    const bars = barsOf(runs, { approvals: model.approvals, actors });
    const [first] = bars;
    if (first === undefined) return [line(own`no run belongs to this trace`, grey)];
    const since = moment(new Date(first.from).toISOString());
    return [
      ...waterfallLines(bars, columns, timers.now()),
      blank,
      line(own`from ${safe(since)} UTC`, grey),
      fitLine(legend, columns),
    ];
  }

  /** Asks again when something has happened to the trace. */
  private notice(trace: string): void {
    const { steps } = this.app.model;
    const last = steps.rows.findLast((step) => step.trace === trace);
    const sign = `${trace} ${last?.seq ?? 0}`;
    if (sign === this.askedFor) return;
    this.askedFor = sign;
    this.askSoon();
  }

  private async ask(): Promise<void> {
    const trace = this.trace();
    const { service, model } = this.app;
    if (trace === undefined || model.detachedAt !== null) return;
    const found = await service
      .call("runs.list", { trace, limit: mostRuns })
      .then((runs) => Promise.all(runs.map(({ run_id: id }) => service.call("runs.show", { id }))))
      .catch(() => undefined);
    if (found === undefined) {
      this.askedFor = "";
      return;
    }
    this.known = { trace, runs: found };
    this.app.changed();
  }
}

const grey = { fg: "grey" } as const;

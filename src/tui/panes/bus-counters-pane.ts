import type { App } from "../app/app.ts";
import type { Hint, Pane } from "../app/pane.ts";
import type { Line, Size } from "../frame/frame.ts";
import { blank, fitLine, line, span } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import { type Column, layTable } from "../frame/table.ts";
import type { ServiceStatus } from "../../schema/socket/protocol.ts";
import type { KindCount } from "../model/traffic.ts";
import type { Key } from "../screen.ts";
import { Scroll } from "../widgets/scroll.ts";
import { perSecond } from "./bus-pane.ts";

type Listener = ServiceStatus["bus"]["listeners"][number];

const kinds: readonly Column<KindCount>[] = [
  { title: own`published`, width: "rest", cell: ({ kind }) => span(safe(kind)) },
  { title: own`total`, width: 7, align: "right", cell: ({ total }) => span(own`${total}`) },
  { title: own`rate`, width: 6, align: "right", cell: ({ rate }) => span(perSecond(rate)) },
];

const count = (
  title: SafeText,
  of: (listener: Listener) => number,
  alarm?: "yellow" | "red",
): Column<Listener> => ({
  title,
  width: Math.max(3, title.length),
  align: "right",
  cell: (listener) => {
    const number = of(listener);
    return span(own`${number}`, alarm !== undefined && number > 0 ? { fg: alarm } : {});
  },
});

const listeners: readonly Column<Listener>[] = [
  { title: own`listener`, width: "rest", cell: ({ name }) => span(safe(name)) },
  count(own`now`, ({ listening }) => listening),
  count(own`queued`, ({ queued }) => queued, "yellow"),
  count(own`    sent`, ({ delivered }) => delivered),
  count(own`dropped`, ({ dropped }) => dropped, "red"),
  count(own`failed`, ({ failed }) => failed, "red"),
];

const wideEnoughForBoth = 78;
const kindsShare = 0.43;

/** How much of what passed over the bus since the service started, and who listens. */
export class BusCountersPane implements Pane {
  readonly hints: readonly Hint[] = [{ keys: own`↑↓`, does: own`scroll` }];
  private readonly app: App;
  private readonly scroll = new Scroll();
  private lineCount = 0;

  constructor(app: App) {
    this.app = app;
  }

  title(): SafeText {
    return own`counters since the start`;
  }

  draw(size: Size): Picture {
    const lines = this.lines(size.columns);
    this.lineCount = lines.length;
    return { lines: this.scroll.window(lines, size) };
  }

  key(key: Key): boolean {
    return this.scroll.key(key, this.lineCount);
  }

  private lines(width: number): readonly Line[] {
    const { traffic } = this.app.model;
    if (traffic.listeners().length === 0) return [line(own`asking …`, { fg: "grey" })];
    if (width < wideEnoughForBoth)
      return [
        ...tableLines(kinds, traffic.kinds(), width),
        blank,
        ...tableLines(listeners, traffic.listeners(), width),
      ];
    const left = Math.floor(width * kindsShare);
    const right = width - left - 1;
    return beside(
      tableLines(kinds, traffic.kinds(), left),
      tableLines(listeners, traffic.listeners(), right),
      left + 1,
    );
  }
}

function tableLines<T>(columns: readonly Column<T>[], rows: readonly T[], width: number): Line[] {
  const { head, line: draw } = layTable(columns, width);
  return [head, ...rows.map(draw)];
}

function beside(left: readonly Line[], right: readonly Line[], at: number): Line[] {
  const rows = Math.max(left.length, right.length);
  return Array.from({ length: rows }, (_, row) => [
    ...fitLine(left[row] ?? [], at),
    ...(right[row] ?? []),
  ]);
}

import type { ChartDetails } from "../../schema/shown/chart-view.ts";
import type { ReplayFrame, RunMoment } from "../../schema/shown/replay.ts";
import type { App } from "../app/app.ts";
import type { Hint, Overlay } from "../app/pane.ts";
import type { Line, Size } from "../frame/frame.ts";
import { apart, fitLine, line, span, styled } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, repeated, safe, type SafeText } from "../frame/safe-text.ts";
import { layTable } from "../frame/table.ts";
import { jsonLines } from "../look/json-lines.ts";
import { clockOf } from "../look/step-line.ts";
import { Records } from "../model/records.ts";
import { helpFor } from "../overlays/help.ts";
import { TextOverlay } from "../overlays/text-overlay.ts";
import type { Key } from "../screen.ts";
import { chosenMarks } from "../widgets/list-pane.ts";
import { Scroll } from "../widgets/scroll.ts";
import { Tabs } from "../widgets/tabs.ts";
import { askFork } from "./fork.ts";
import { frameColumns, sinceStart, verdictLine } from "./frame-look.ts";
import { contextLines, eventLines, happenedLines, type Shown, talkLines } from "./moment-lines.ts";
import { Scrubber } from "./scrubber.ts";

const partsOfMoment = {
  happened: happenedLines,
  context: contextLines,
  event: eventLines,
  talk: talkLines,
} as const;

type Part = keyof typeof partsOfMoment;

const partWords: { readonly [part in Part]: SafeText } = {
  happened: own`Moment`,
  context: own`Context`,
  event: own`Event`,
  talk: own`Conversation`,
};

/** A moment is made from the run's beginning each time, so that only the one that somebody stays at is asked for. */
const momentLimits = { kept: 40, wanted: 1 };
const wideEnough = 100;
const headRows = 2;

/** A run's recorded steps, and the run as it was at the chosen one. Nothing of it runs again: it only looks. */
export class ReplayOverlay implements Overlay {
  readonly hints: readonly Hint[] = [
    { keys: own`←→`, does: own`step` },
    { keys: own`[ ]`, does: own`answer or result` },
    { keys: own`Tab`, does: Tabs.hint.does },
    { keys: own`PgUp PgDn`, does: own`scroll` },
    { keys: own`F`, does: own`fork here` },
    { keys: own`i`, does: own`JSON` },
    { keys: own`Home End`, does: own`first, last` },
    { keys: own`Esc`, does: own`back`, isVital: true },
  ];
  private readonly app: App;
  private readonly runId: string;
  private readonly scrubber: Scrubber;
  private readonly moments: Records<RunMoment>;
  private readonly charts: Records<ChartDetails>;
  private readonly tabs = new Tabs<Part>(partWords, "happened");
  private readonly scroll = new Scroll();
  private lineCount = 0;

  constructor(app: App, runId: string) {
    this.app = app;
    this.runId = runId;
    this.scrubber = new Scrubber(app, runId);
    const moment = (seq: string) =>
      app.service.call("runs.moment", { id: runId, seq: Number(seq) });
    this.moments = new Records(app, moment, momentLimits);
    this.charts = new Records(app, (name) => app.service.call("machines.show", { name }));
  }

  shown(): void {
    this.scrubber.begin();
  }

  wants(screen: Size): Size {
    return screen;
  }

  title(): SafeText {
    const state = this.scrubber.tape.run?.state;
    const now = state === undefined ? own`` : own`, now ${safe(state)}`;
    return own`replay of run ${safe(this.runId)}${now}`;
  }

  note(): Line {
    return this.tabs.line();
  }

  draw(size: Size): Picture {
    const { current } = this.scrubber;
    if (current === undefined) return { lines: [line(this.waiting(), { fg: "grey" })] };
    const head = [this.headLine(current, size.columns), this.bar(size.columns)];
    const room = { columns: size.columns, rows: size.rows - headRows };
    const isWide = size.columns >= wideEnough;
    const body = isWide ? this.sideBySide(current, room) : this.stacked(current, room);
    return { lines: [...head, ...body] };
  }

  key(key: Key): boolean {
    const act = this.actOf(key.name);
    if (act === undefined) return this.scroll.key(scrollKey(key), this.lineCount);
    act();
    return true;
  }

  private actOf(name: string): (() => unknown) | undefined {
    const { scrubber } = this;
    const step = (by: number) => () => this.moved(scrubber.step(by));
    const acts: { readonly [key: string]: () => unknown } = {
      "right": step(1),
      "l": step(1),
      "down": step(1),
      "j": step(1),
      "left": step(-1),
      "h": step(-1),
      "up": step(-1),
      "k": step(-1),
      "]": () => this.moved(scrubber.seek(1)),
      "[": () => this.moved(scrubber.seek(-1)),
      "home": () => this.moved(scrubber.first()),
      "g": () => this.moved(scrubber.first()),
      "end": () => this.moved(scrubber.last()),
      "G": () => this.moved(scrubber.last()),
      "tab": () => this.turn(1),
      "S-tab": () => this.turn(-1),
      "F": () => this.fork(),
      "i": () => this.showJson(),
      "?": () => this.app.open(helpFor(this)),
    };
    return Object.hasOwn(acts, name) ? acts[name] : undefined;
  }

  private moved(_going: unknown): void {
    this.scroll.toStart();
  }

  private turn(step: 1 | -1): void {
    this.tabs.turn(step);
    this.scroll.toStart();
    if (this.tabs.current === "talk") this.scroll.toEnd();
  }

  private waiting(): SafeText {
    const { tape } = this.scrubber;
    if (tape.isLoading || tape.run === undefined) return own`reading the journal …`;
    return own`the journal has nothing of this run any more`;
  }

  /** `17/41  20:41:02.113  +3.2s  same` */
  private headLine(frame: ReplayFrame, columns: number): Line {
    const { tape, index } = this.scrubber;
    const count = tape.isComplete ? own`${tape.frames.length}` : own`${tape.frames.length}+`;
    const pruned = tape.run?.is_pruned === true ? own`  its beginning is not kept any more` : own``;
    const left: Line = [
      span(own`${index + 1}/${count}  `, { bold: true }),
      span(own`${clockOf(frame.at)}  ${sinceStart(frame.at, this.startedAt())}  `),
      ...verdictLine(frame),
      span(pruned, { fg: "yellow" }),
    ];
    return apart(left, [span(this.scrubber.doing(), { fg: "grey" })], columns);
  }

  /** How far it is, as a line over the whole width. */
  private bar(columns: number): Line {
    const { tape, index } = this.scrubber;
    const last = Math.max(1, tape.frames.length - 1);
    const at = Math.round((index / last) * (columns - 1));
    return [
      span(repeated(own`━`, at), { fg: "cyan" }),
      span(own`●`, { fg: "cyan", bold: true }),
      span(repeated(own`─`, columns - at - 1), { fg: "grey" }),
    ];
  }

  private sideBySide(frame: ReplayFrame, { columns, rows }: Size): Line[] {
    const left = Math.round(columns * 0.45);
    const right = columns - left - 2;
    const list = this.listLines({ columns: left, rows });
    const moment = this.momentLines(frame, { columns: right, rows });
    const edge = span(own`│ `, { fg: "grey" });
    return Array.from({ length: rows }, (_, row) => [
      ...fitLine(list[row] ?? [], left),
      edge,
      ...(moment[row] ?? []),
    ]);
  }

  private stacked(frame: ReplayFrame, { columns, rows }: Size): Line[] {
    const upper = Math.max(4, Math.floor(rows * 0.4));
    const list = this.listLines({ columns, rows: upper });
    const edge = line(repeated(own`─`, columns), { fg: "grey" });
    const moment = this.momentLines(frame, { columns, rows: rows - upper - 1 });
    const padding: Line[] = Array.from({ length: Math.max(0, upper - list.length) }, () => []);
    return [...list, ...padding, edge, ...moment];
  }

  private listLines({ columns, rows }: Size): Line[] {
    const { tape, index } = this.scrubber;
    const table = layTable(
      frameColumns(() => this.startedAt()),
      columns,
    );
    const height = Math.max(1, rows - 1);
    const first = Math.max(0, Math.min(index - (height >> 1), tape.frames.length - height));
    const lines = tape.frames.slice(first, first + height).map((frame, row) => {
      const drawn = fitLine(table.line(frame), columns);
      return first + row === index ? styled(drawn, chosenMarks.focused) : drawn;
    });
    return [table.head, ...lines];
  }

  private momentLines(frame: ReplayFrame, size: Size): readonly Line[] {
    const lines = partsOfMoment[this.tabs.current](this.shownAt(frame, size.columns));
    this.lineCount = lines.length;
    return this.scroll.window(lines, size);
  }

  private shownAt(frame: ReplayFrame, width: number): Shown {
    return {
      frame,
      moment: this.moments.get(String(frame.seq), ""),
      chart: this.charts.get(frame.machine, ""),
      agent: this.scrubber.tape.run?.agent_id ?? "",
      width,
    };
  }

  private startedAt(): string {
    return this.scrubber.tape.run?.started_at ?? this.scrubber.tape.frames[0]?.at ?? "";
  }

  private fork(): void {
    const { current } = this.scrubber;
    if (current === undefined) return;
    const leave = () => this.app.close(this);
    askFork(this.app, {
      runId: this.runId,
      at: current.seq,
      place: own`step ${current.seq} of ${safe(this.runId)}`,
      leave,
    });
  }

  private showJson(): void {
    const { current } = this.scrubber;
    const moment = current && this.moments.get(String(current.seq), "");
    if (moment === undefined) return this.app.say(own`this moment is still asked for`);
    const lines = (width: number) => jsonLines(moment, width);
    this.app.open(new TextOverlay({ title: own`step ${moment.frame.seq}`, lines }));
  }
}

/** The arrows step; only pages scroll. */
function scrollKey(key: Key): Key {
  return key.name.startsWith("page") ? key : { name: "" };
}

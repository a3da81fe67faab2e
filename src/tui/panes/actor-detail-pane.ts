import type { ActorDetails, ActorStateRow } from "../../schema/shown/actor-view.ts";
import type { ChartDetails } from "../../schema/shown/chart-view.ts";
import { age, moment, until } from "../../text/times.ts";
import type { App } from "../app/app.ts";
import type { Hint, Pane } from "../app/pane.ts";
import { throttled } from "../app/timers.ts";
import type { Line, Size } from "../frame/frame.ts";
import { blank, line, span } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import { lookOf, nameOf } from "../look/actor-look.ts";
import { nowLines, outlineOf } from "../look/chart-outline.ts";
import { jsonLines } from "../look/json-lines.ts";
import { logLine } from "../look/log-line.ts";
import { stepLine } from "../look/step-line.ts";
import type { Key } from "../screen.ts";
import { Scroll } from "../widgets/scroll.ts";

const tabs = ["outline", "context", "events", "log"] as const;
type Tab = (typeof tabs)[number];

const tabWords: { readonly [tab in Tab]: SafeText } = {
  outline: own`Outline`,
  context: own`Context`,
  events: own`Events`,
  log: own`Log`,
};

const askEveryMs = 250;

/** The chosen actor: its chart with what is active, its context, what it went through, and what the log says of its trace. */
export class ActorDetailPane implements Pane {
  readonly hints: readonly Hint[] = [
    { keys: own`←→`, does: own`tabs` },
    { keys: own`↑↓`, does: own`scroll` },
  ];
  private readonly app: App;
  private readonly charts = new Map<string, ChartDetails>();
  private readonly scroll = new Scroll();
  private readonly askSoon: () => void;
  private tab: Tab = "outline";
  private actor: ActorStateRow | undefined;
  private details: ActorDetails | undefined;
  private lineCount = 0;

  constructor(app: App) {
    this.app = app;
    this.askSoon = throttled(app.timers, askEveryMs, () => void this.refresh());
  }

  /** Called again when the actor has changed. */
  show(actor: ActorStateRow | undefined): void {
    if (actor?.address !== this.actor?.address) {
      this.details = undefined;
      this.scroll.toStart();
    }
    this.actor = actor;
    if (actor !== undefined) this.askSoon();
  }

  title(): SafeText {
    return this.actor === undefined ? own`no actor` : nameOf(this.actor);
  }

  note(): Line {
    return tabs.flatMap((tab, index) => [
      ...(index === 0 ? [] : [span(own` · `, { fg: "grey" } as const)]),
      span(tabWords[tab], tab === this.tab ? { bold: true, underline: true } : { fg: "grey" }),
    ]);
  }

  draw(size: Size): Picture {
    const { actor } = this;
    if (actor === undefined) return { lines: [line(own`choose an actor`, { fg: "grey" })] };
    const head = this.head(actor);
    const body = this.body(size);
    this.lineCount = body.length;
    const room = { columns: size.columns, rows: size.rows - head.length };
    return { lines: [...head, ...this.scroll.window(body, room)] };
  }

  key(key: Key): boolean {
    const step =
      key.name === "right" || key.name === "l"
        ? 1
        : key.name === "left" || key.name === "h"
          ? -1
          : 0;
    if (step === 0) return this.scroll.key(key, this.lineCount);
    const at = (tabs.indexOf(this.tab) + step + tabs.length) % tabs.length;
    this.tab = tabs[at] ?? "outline";
    this.scroll.toStart();
    if (this.tab === "events" || this.tab === "log") this.scroll.toEnd();
    return true;
  }

  address(): string | undefined {
    return this.actor?.address;
  }

  trace(): string | undefined {
    return this.actor?.trace;
  }

  private head(actor: ActorStateRow): Line[] {
    const { glyph, style } = lookOf(actor);
    const since = safe(age(actor.since, this.app.timers.now()));
    return [
      [
        span(own`${glyph} ${safe(actor.state)}`, { ...style, bold: true }),
        span(own` for ${since}`),
      ],
      line(safe(actor.address), { fg: "grey" }),
      blank,
    ];
  }

  private body(size: Size): readonly Line[] {
    const { model } = this.app;
    const { address = "", trace = "" } = this.actor ?? {};
    switch (this.tab) {
      case "outline":
        return this.outline();
      case "context":
        return this.details === undefined ? [] : jsonLines(this.details.context, size.columns);
      case "events":
        return model.steps.rows
          .filter((step) => step.address === address || step.address.startsWith(`${address}/`))
          .map((step) => stepLine(step, address));
      case "log":
        return model.logs.rows.filter((record) => record["trace_id"] === trace).map(logLine);
    }
  }

  private outline(): Line[] {
    const { details } = this;
    if (details === undefined) return [line(own`asking …`, { fg: "grey" })];
    const chart = this.charts.get(details.kind);
    const failed = details.error === null ? [] : [line(safe(details.error.message), { fg: "red" })];
    const now = this.app.timers.now();
    const facts = [
      line(
        own`version ${safe(details.version)}, step ${details.seq}, trace ${safe(details.trace)}`,
        {
          fg: "grey",
        },
      ),
      line(own`made ${safe(moment(details.created_at))} UTC`, { fg: "grey" }),
    ];
    return [
      ...failed,
      ...(chart === undefined ? [] : outlineOf(chart, details)),
      blank,
      ...nowLines(details, (iso) => until(iso, now)),
      ...facts,
    ];
  }

  private async refresh(): Promise<void> {
    const { actor } = this;
    if (actor === undefined || this.app.model.detachedAt !== null) return;
    const details = await this.app.service
      .call("actor.get", { address: actor.address })
      .catch(() => undefined);
    if (details === undefined || this.actor?.address !== details.address) return;
    const isNewState = this.details?.state !== details.state;
    this.details = details;
    await this.learnChart(details.kind);
    if (isNewState) this.revealActive(details);
    this.app.changed();
  }

  private revealActive({ kind, state }: ActorDetails): void {
    const chart = this.charts.get(kind);
    const at = chart?.states.findIndex(({ path }) => path === state) ?? -1;
    if (this.tab === "outline" && at > 0) this.scroll.reveal(at);
  }

  private async learnChart(name: string): Promise<void> {
    if (this.charts.has(name)) return;
    const chart = await this.app.ask("machines.show", { name });
    if (chart !== undefined) this.charts.set(name, chart);
  }
}

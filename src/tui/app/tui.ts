import { toErrorData } from "../../schema/errors.ts";
import type { Method, ParamsOf, Results } from "../../schema/protocol.ts";
import type { Frame, Size } from "../frame/frame.ts";
import { boxed, insideOf } from "../frame/box.ts";
import { line } from "../frame/line.ts";
import { compose, type Placed } from "../frame/picture.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import type { Model } from "../model/model.ts";
import type { Key, Screen } from "../screen.ts";
import type { Service } from "../service.ts";
import { helpFor } from "../overlays/help.ts";
import { Palette } from "../palette/palette.ts";
import { LineEditor } from "../widgets/line-editor.ts";
import type { App, ViewId } from "./app.ts";
import { footer, type Message } from "./footer.ts";
import { type GlobalKeys, globalKey, hintsAround } from "./global-keys.ts";
import { headerLine, tabsLine } from "./header.ts";
import { alone, type Area } from "./layout.ts";
import type { Overlay, Pane } from "./pane.ts";
import { throttled, type Timers } from "./timers.ts";
import type { View } from "./view.ts";

export type TuiOptions = {
  readonly screen: Screen;
  readonly model: Model;
  readonly service: Service;
  readonly timers: Timers;
  readonly framesPerSecond: number;
  readonly views: (app: App) => readonly [View, ...View[]];
  /** Called when the person leaves. */
  readonly onLeave: () => void;
};

const smallest: Size = { columns: 60, rows: 15 };
const headRows = 2;
const footRows = 2;

/** The interface as a whole: which view and pane has the keys, what lies over them, and when a frame is drawn. */
export class Tui implements App, GlobalKeys {
  readonly model: Model;
  readonly service: Service;
  readonly timers: Timers;
  readonly views: readonly [View, ...View[]];
  trace: string | undefined;
  private readonly options: TuiOptions;
  private readonly screen: Screen;
  private readonly paintSoon: () => void;
  private view: View;
  private readonly focusIn = new Map<View, Pane>();
  private readonly overlays: Overlay[] = [];
  private isZoomed = false;
  private filtering: LineEditor | undefined;
  private message: Message | undefined;
  private isOpen = true;

  constructor(options: TuiOptions) {
    const { screen, model, service, timers, framesPerSecond, views } = options;
    this.options = options;
    this.screen = screen;
    this.model = model;
    this.service = service;
    this.timers = timers;
    this.paintSoon = throttled(timers, 1000 / framesPerSecond, () => this.paint());
    this.views = views(this);
    [this.view] = this.views;
    screen.listen({
      key: (key) => this.onKey(key),
      paste: (text) => this.onPaste(text),
      click: ({ x, y }) => this.onClick(x, y),
      resized: () => this.changed(),
    });
    this.changed();
  }

  /** The pane that has the keys, if nothing lies over it. */
  get focused(): Pane {
    const [first] = this.view.panes;
    const pane = this.focusIn.get(this.view) ?? first;
    if (pane === undefined) throw new Error(`the view ${this.view.id} has no pane`);
    return pane;
  }

  readonly changed = (): void => {
    if (this.isOpen) this.paintSoon();
  };

  readonly ask = async <M extends Method>(
    method: M,
    params: ParamsOf<M>,
  ): Promise<Results[M] | undefined> => {
    try {
      return await this.service.call(method, params);
    } catch (error) {
      const { message, hint } = toErrorData(error);
      this.say(hint === undefined ? safe(message) : own`${safe(message)} (${safe(hint)})`, "bad");
      return undefined;
    }
  };

  say(text: SafeText, mood?: "good" | "bad"): void {
    this.message = mood === undefined ? { text } : { text, mood };
    this.changed();
  }

  open(overlay: Overlay): void {
    this.overlays.push(overlay);
    overlay.shown?.();
    this.changed();
  }

  close(overlay: Overlay): void {
    const at = this.overlays.indexOf(overlay);
    if (at >= 0) this.overlays.splice(at, 1);
    this.changed();
  }

  go(viewId: ViewId, id?: string): void {
    const view = this.views.find((each) => each.id === viewId);
    if (view === undefined) return;
    this.view = view;
    this.isZoomed = false;
    this.filtering = undefined;
    for (const pane of view.panes) pane.shown?.();
    if (id !== undefined) view.show?.(id);
    this.changed();
  }

  isInSight(pane: Pane): boolean {
    const at = this.view.panes.indexOf(pane);
    return this.overlays.length === 0 && at >= 0 && this.areas()[at] !== undefined;
  }

  bell(): void {
    this.screen.bell();
  }

  leave(): void {
    this.isOpen = false;
    this.options.onLeave();
  }

  suspend(): void {
    this.screen.suspend();
  }

  refresh(): void {
    this.screen.refresh();
  }

  help(): void {
    this.open(helpFor(this.focused));
  }

  palette(): void {
    this.open(new Palette(this));
  }

  zoom(): void {
    this.isZoomed = !this.isZoomed;
  }

  focusNext(step: 1 | -1): void {
    const areas = this.areas();
    const shown = this.view.panes.filter((_, index) => areas[index] !== undefined);
    const at = shown.indexOf(this.focused);
    const next = shown[(at + step + shown.length) % shown.length];
    if (next !== undefined) this.focusIn.set(this.view, next);
  }

  startFilter(): void {
    const { filter } = this.focused;
    if (filter === undefined) this.say(own`there is nothing to filter here`);
    else this.filtering = new LineEditor({ text: filter.text });
  }

  /** @returns whether there was one */
  clearFilter(): boolean {
    const { filter } = this.focused;
    if (filter === undefined || filter.text === "") return false;
    filter.text = "";
    return true;
  }

  private onKey(key: Key): void {
    this.message = undefined;
    const overlay = this.overlays.at(-1);
    if (key.name === "C-c" && overlay === undefined) this.leave();
    else if (key.name === "C-z") this.suspend();
    else if (overlay !== undefined) this.keyOver(overlay, key);
    else if (this.filtering !== undefined) this.keyInFilter(this.filtering, key);
    else if (!this.focused.key(key)) globalKey(this, key);
    this.changed();
  }

  private keyOver(overlay: Overlay, key: Key): void {
    if (overlay.key(key)) return;
    if (key.name === "escape" || key.name === "C-c" || key.name === "q") this.close(overlay);
  }

  private keyInFilter(editor: LineEditor, key: Key): void {
    const { filter } = this.focused;
    if (key.name === "enter" || key.name === "escape" || filter === undefined) {
      this.filtering = undefined;
      if (key.name === "escape") this.clearFilter();
      return;
    }
    editor.key(key);
    filter.text = editor.text;
  }

  private onPaste(text: string): void {
    const { filter } = this.focused;
    const overlay = this.overlays.at(-1);
    if (overlay === undefined && this.filtering !== undefined && filter !== undefined) {
      this.filtering.paste(text);
      filter.text = this.filtering.text;
    } else {
      const target = overlay ?? this.focused;
      if (target.paste === undefined) this.say(own`pasted text is taken only where text is typed`);
      else target.paste(text);
    }
    this.changed();
  }

  private onClick(x: number, y: number): void {
    if (this.overlays.length > 0) return;
    this.areas().forEach((area, index) => {
      const pane = this.view.panes[index];
      if (area === undefined || pane === undefined) return;
      const isInside =
        x >= area.x && x < area.x + area.columns && y >= area.y && y < area.y + area.rows;
      if (isInside) this.focusIn.set(this.view, pane);
    });
    this.changed();
  }

  private paint(): void {
    if (this.isOpen) this.screen.draw(this.frame(this.screen.size()));
  }

  /** What the screen shows at this moment. */
  frame(size: Size): Frame {
    const { columns, rows } = size;
    const isTiny = columns < smallest.columns || rows < smallest.rows;
    const head = isTiny
      ? [line(own`enlarge the window: ${smallest.columns}x${smallest.rows} is the least`)]
      : [
          headerLine(this.model, this.timers.now(), columns),
          tabsLine(this.views, this.view, columns),
        ];
    const parts: Placed[] = [
      { x: 0, y: 0, columns, rows: head.length, picture: { lines: head } },
      ...this.drawnPanes(size),
      ...this.drawnOverlays(size),
      { x: 0, y: rows - footRows, columns, rows: footRows, picture: this.drawnFooter(size) },
    ];
    return compose(parts, size);
  }

  private drawnPanes(size: Size): Placed[] {
    const { panes } = this.view;
    const isCovered = this.overlays.length > 0;
    return this.areas(size).flatMap((area, index) => {
      const pane = panes[index];
      if (area === undefined || pane === undefined) return [];
      return [drawn(pane, area, pane === this.focused && !isCovered)];
    });
  }

  private drawnOverlays(size: Size): Placed[] {
    const room = { columns: size.columns, rows: size.rows - footRows };
    return this.overlays.map((overlay, index) => {
      const wants = overlay.wants(room);
      const columns = Math.min(room.columns, Math.max(20, wants.columns));
      const rows = Math.min(room.rows, Math.max(4, wants.rows));
      const x = Math.floor((room.columns - columns) / 2);
      const y = Math.floor((room.rows - rows) / 2);
      return drawn(overlay, { x, y, columns, rows }, index === this.overlays.length - 1);
    });
  }

  private drawnFooter(size: Size) {
    const pane = this.overlays.at(-1) ?? this.focused;
    const { filtering, message, trace } = this;
    const hints = this.overlays.length > 0 ? pane.hints : [...pane.hints, ...hintsAround(pane)];
    return footer({ filtering, message, pane, trace, hints }, size);
  }

  /** Where each pane of the view stands on the screen. */
  private areas(size = this.screen.size()): readonly (Area | undefined)[] {
    const isTiny = size.columns < smallest.columns || size.rows < smallest.rows;
    const top = isTiny ? 1 : headRows;
    const room = { columns: size.columns, rows: Math.max(3, size.rows - top - footRows) };
    const { panes, layout } = this.view;
    const placed =
      this.isZoomed || isTiny
        ? panes.map((pane) => (pane === this.focused ? alone(room, 1)[0] : undefined))
        : layout(room, panes.length);
    return placed.map((area) => area && { ...area, y: area.y + top });
  }
}

function drawn(pane: Pane, area: Area, isFocused: boolean): Placed {
  const inside = pane.draw(insideOf(area), isFocused);
  const note = pane.note?.();
  const box = {
    title: pane.title(),
    isFocused,
    size: area,
    ...(note === undefined ? {} : { note }),
  };
  const picture = boxed(inside, box);
  return isFocused ? { ...area, picture } : { ...area, picture: { lines: picture.lines } };
}

import { toErrorData } from "../../schema/errors.ts";
import type { Method, ParamsOf, Results } from "../../schema/socket/protocol.ts";
import type { Frame, Size } from "../frame/frame.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import type { Model } from "../model/model.ts";
import type { Click, Key, Screen } from "../screen.ts";
import type { Service } from "../service.ts";
import { helpFor } from "../overlays/help.ts";
import { Palette } from "../palette/palette.ts";
import { LineEditor } from "../widgets/line-editor.ts";
import type { App, ViewId } from "./app.ts";
import { appFrame } from "./app-frame.ts";
import { focusedOf, paneAt, type Shown, type Standing, standingOf } from "./arrangement.ts";
import type { Message } from "./footer.ts";
import { type GlobalKeys, globalKey, hintsAround } from "./global-keys.ts";
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

/** How far a turn of the wheel goes. */
const wheelSteps = 3;
/** Nobody reads faster; each frame costs about as much as all else between two of them. */
const newsEveryMs = 100;

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
  /** The service told something: drawn soon, but not as soon as what a key changed. */
  readonly newsCame: () => void;
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
    const newsMs = Math.max(newsEveryMs, 1000 / framesPerSecond);
    this.newsCame = throttled(timers, newsMs, () => this.changed());
    this.views = views(this);
    [this.view] = this.views;
    screen.listen({
      key: (key) => this.onKey(key),
      paste: (text) => this.onPaste(text),
      click: (click) => this.onClick(click),
      resized: () => this.changed(),
    });
    this.changed();
  }

  /** The pane that has the keys, if nothing lies over it. */
  get focused(): Pane {
    return focusedOf(this.shown(), this.screen.size());
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
    return this.overlays.length === 0 && this.standing().some((each) => each.pane === pane);
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
    const panes = this.isZoomed ? this.view.panes : this.standing().map(({ pane }) => pane);
    const at = panes.indexOf(this.focused);
    const next = panes[(at + step + panes.length) % panes.length];
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

  /** The wheel moves what it is over; a press chooses the pane. */
  private onClick({ x, y, kind }: Click): void {
    const overlay = this.overlays.at(-1);
    const pane = overlay ?? paneAt(this.standing(), x, y);
    if (pane === undefined) return;
    const name = kind === "wheelup" ? "up" : "down";
    if (kind !== "press") for (let step = 0; step < wheelSteps; step += 1) pane.key({ name });
    else if (overlay === undefined) this.focusIn.set(this.view, pane);
    this.changed();
  }

  private paint(): void {
    if (!this.isOpen) return;
    this.screen.draw(this.frame(this.screen.size()));
    for (const { pane } of this.standing()) pane.painted?.();
    this.overlays.at(-1)?.painted?.();
  }

  /** What the screen shows at this moment. */
  frame(size: Size): Frame {
    const { model, views, view, overlays, filtering, message, trace } = this;
    const focused = focusedOf(this.shown(), size);
    const pane = overlays.at(-1) ?? focused;
    const hints = overlays.length > 0 ? pane.hints : [...pane.hints, ...hintsAround(pane)];
    const standing = standingOf(this.shown(), size);
    const now = this.timers.now();
    const foot = { filtering, message, pane, trace, hints };
    const state = { model, now, views, view, standing, focused, overlays, footer: foot };
    return appFrame(state, size);
  }

  private standing(): readonly Standing[] {
    return standingOf(this.shown(), this.screen.size());
  }

  private shown(): Shown {
    const { view, isZoomed } = this;
    return { view, wanted: this.focusIn.get(view), isZoomed };
  }
}

import { own, safe } from "../frame/safe-text.ts";
import type { Key } from "../screen.ts";
import type { App } from "./app.ts";
import type { Hint, Pane } from "./pane.ts";
import { numberOf, type View } from "./view.ts";

/** What keys mean where no pane takes them. */
export type GlobalKeys = App & {
  readonly views: readonly View[];
  readonly focused: Pane;
  leave(): void;
  suspend(): void;
  refresh(): void;
  help(): void;
  palette(): void;
  zoom(): void;
  focusNext(step: 1 | -1): void;
  startFilter(): void;
  clearFilter(): boolean;
};

const globalHints: readonly Hint[] = [
  { keys: own`1-8`, does: own`views` },
  { keys: own`Tab`, does: own`pane` },
  { keys: own`:`, does: own`command` },
  { keys: own`?`, does: own`help`, isVital: true },
  { keys: own`q`, does: own`leave (the service goes on)` },
  { keys: own`t T`, does: own`only this trace, all` },
  { keys: own`z`, does: own`zoom` },
  { keys: own`C-l`, does: own`redraw` },
  { keys: own`C-z`, does: own`suspend` },
];

/** Where letters are typed, only other keys do something. */
const typingHints: readonly Hint[] = [
  { keys: own`F1-F8`, does: own`views` },
  { keys: own`Tab`, does: own`pane` },
  { keys: own`C-c`, does: own`leave (the service goes on)` },
  { keys: own`C-l`, does: own`redraw` },
  { keys: own`C-z`, does: own`suspend` },
];

/** What works besides the pane's own keys. */
export function hintsAround(pane: Pane): readonly Hint[] {
  return pane.isTyping?.() === true ? typingHints : globalHints;
}

const acts: { readonly [key: string]: (tui: GlobalKeys) => void } = {
  "tab": (tui) => tui.focusNext(1),
  "S-tab": (tui) => tui.focusNext(-1),
  "z": (tui) => tui.zoom(),
  "/": (tui) => tui.startFilter(),
  ":": (tui) => tui.palette(),
  "?": (tui) => tui.help(),
  "q": (tui) => tui.leave(),
  "C-l": (tui) => tui.refresh(),
  "t": (tui) => narrow(tui),
  "T": (tui) => void (tui.trace = undefined),
  "escape": (tui) => void (tui.clearFilter() || (tui.trace = undefined)),
};

/** @returns whether it was one of them */
export function globalKey(tui: GlobalKeys, { name }: Key): boolean {
  const view = viewOf(tui.views, name);
  if (view !== undefined) {
    tui.go(view.id);
    return true;
  }
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
  act?.(tui);
  return act !== undefined;
}

function viewOf(views: readonly View[], name: string): View | undefined {
  const [, digit] = /^f?([1-8])$/.exec(name) ?? [];
  return digit === undefined ? undefined : views.find((view) => numberOf(view) === Number(digit));
}

function narrow(tui: GlobalKeys): void {
  const trace = tui.focused.trace?.();
  if (trace === undefined) return tui.say(own`nothing with a trace is chosen here`);
  tui.trace = trace;
  tui.say(own`every pane shows only trace ${safe(trace)}; T shows all`);
}

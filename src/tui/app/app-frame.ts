import { boxed, insideOf } from "../frame/box.ts";
import type { Frame, Line, Size } from "../frame/frame.ts";
import { line } from "../frame/line.ts";
import { compose, type Placed } from "../frame/picture.ts";
import { own } from "../frame/safe-text.ts";
import type { Model } from "../model/model.ts";
import { footRows, isTiny, smallest, type Standing } from "./arrangement.ts";
import { footer, type FooterState } from "./footer.ts";
import { headerLine, tabsLine } from "./header.ts";
import type { Area } from "./layout.ts";
import type { Overlay, Pane } from "./pane.ts";
import type { View } from "./view.ts";

export type AppState = {
  readonly model: Model;
  readonly now: number;
  readonly views: readonly View[];
  readonly view: View;
  readonly standing: readonly Standing[];
  readonly focused: Pane;
  /** The last one lies over the others, and has the keys. */
  readonly overlays: readonly Overlay[];
  readonly footer: FooterState;
};

/** What the screen shows at this moment. */
export function appFrame(state: AppState, size: Size): Frame {
  const { columns, rows } = size;
  const head = headOf(state, size);
  const { standing, focused, overlays } = state;
  const parts: Placed[] = [
    { x: 0, y: 0, columns, rows: head.length, picture: { lines: head } },
    ...standing.map(({ pane, area }) =>
      drawn(pane, area, pane === focused && overlays.length === 0),
    ),
    ...drawnOverlays(overlays, { columns, rows: rows - footRows }),
    { x: 0, y: rows - footRows, columns, rows: footRows, picture: footer(state.footer, size) },
  ];
  return compose(parts, size);
}

function headOf({ model, now, views, view }: AppState, size: Size): Line[] {
  if (isTiny(size)) {
    return [line(own`enlarge the window: ${smallest.columns}x${smallest.rows} is the least`)];
  }
  return [headerLine(model, now, size.columns), tabsLine(views, view, size.columns)];
}

function drawnOverlays(overlays: readonly Overlay[], room: Size): Placed[] {
  return overlays.map((overlay, index) => {
    const wants = overlay.wants(room);
    const columns = Math.min(room.columns, Math.max(20, wants.columns));
    const rows = Math.min(room.rows, Math.max(4, wants.rows));
    const x = Math.floor((room.columns - columns) / 2);
    const y = Math.floor((room.rows - rows) / 2);
    return drawn(overlay, { x, y, columns, rows }, index === overlays.length - 1);
  });
}

function drawn(pane: Pane, area: Area, isFocused: boolean): Placed {
  const inside = pane.draw(insideOf(area), isFocused);
  const note = pane.note?.();
  const box = { title: pane.title(), isFocused, size: area };
  const picture = boxed(inside, note === undefined ? box : { ...box, note });
  return isFocused ? { ...area, picture } : { ...area, picture: { lines: picture.lines } };
}

import type { Size } from "../frame/frame.ts";
import { alone, type Area } from "./layout.ts";
import type { Pane } from "./pane.ts";
import type { View } from "./view.ts";

/** Which of a view's panes are in sight, and where they stand on the screen. */

/** On a smaller screen there is one pane, and a word about it. */
export const smallest: Size = { columns: 60, rows: 15 };
export const footRows = 2;
const headRows = 2;

export function isTiny({ columns, rows }: Size): boolean {
  return columns < smallest.columns || rows < smallest.rows;
}

export type Standing = { readonly pane: Pane; readonly area: Area };

export type Shown = {
  readonly view: View;
  /** Where the keys would go, if it is in sight. */
  readonly wanted: Pane | undefined;
  readonly isZoomed: boolean;
};

/** In the order of the view's panes. */
export function standingOf({ view, wanted, isZoomed }: Shown, size: Size): readonly Standing[] {
  const top = isTiny(size) ? 1 : headRows;
  const room = { columns: size.columns, rows: Math.max(3, size.rows - top - footRows) };
  const lowered = (area: Area): Area => ({ ...area, y: area.y + top });
  const { panes, layout } = view;
  const [first] = panes;
  const only = wanted ?? first;
  if ((isZoomed || isTiny(size)) && only !== undefined) {
    return alone(room, 1).flatMap((area) => (area ? [{ pane: only, area: lowered(area) }] : []));
  }
  return layout(room, panes.length).flatMap((area, index) => {
    const pane = panes[index];
    return area === undefined || pane === undefined ? [] : [{ pane, area: lowered(area) }];
  });
}

/** The pane that is wanted, where it is in sight; else the view's first one, which leads what its others show. */
export function focusedOf(shown: Shown, size: Size): Pane {
  const { view, wanted } = shown;
  const isInSight = standingOf(shown, size).some(({ pane }) => pane === wanted);
  const pane = isInSight ? wanted : view.panes[0];
  if (pane === undefined) throw new Error(`the view ${view.id} has no pane`);
  return pane;
}

export function paneAt(standing: readonly Standing[], x: number, y: number): Pane | undefined {
  return standing.find(
    ({ area }) => x >= area.x && x < area.x + area.columns && y >= area.y && y < area.y + area.rows,
  )?.pane;
}

import type { Place, Size } from "../frame/frame.ts";

export type Area = Place & Size;

/** Where each of a view's panes stands; undefined for one that there is no room for. */
export type Layout = (room: Size, panes: number) => readonly (Area | undefined)[];

/** From this width on panes stand side by side. */
const wideEnough = 100;
const wideEnoughForTables = 160;
/** From this height on there is room for a second row of panes. */
const highEnough = 36;

/** One pane has all. */
export const alone: Layout = (room) => [{ x: 0, y: 0, ...room }];

/** @param share of the first one */
export function inTwo(share: number): Layout {
  return (room) => {
    if (room.columns < wideEnough) return stacked(room, 0.5);
    const left = Math.round(room.columns * share);
    return [
      { x: 0, y: 0, columns: left, rows: room.rows },
      { x: left, y: 0, columns: room.columns - left, rows: room.rows },
    ];
  };
}

/** For wide tables: the first one above the second, and beside it on a very wide screen. */
export function above(share: number): Layout {
  return (room, panes) =>
    room.columns < wideEnoughForTables ? stacked(room, share) : inTwo(0.6)(room, panes);
}

/** A list, as high as its rows need, above what it lists; where there is no room for both, that alone. */
export function listAbove(listed: () => number): Layout {
  return ({ columns, rows }) => {
    if (rows < 16) return [undefined, { x: 0, y: 0, columns, rows }];
    const upper = Math.min(listed() + 3, Math.round(rows * 0.4));
    return [
      { x: 0, y: 0, columns, rows: upper },
      { x: 0, y: upper, columns, rows: rows - upper },
    ];
  };
}

/** Two above and, where there is room, two below; of three, the second one has all the height. */
export function inFour(share: number): Layout {
  return (room, panes) => {
    if (room.columns < wideEnough || room.rows < highEnough) return inTwo(share)(room, 2);
    const left = Math.round(room.columns * share);
    const upper = Math.round(room.rows * 0.65);
    const right = room.columns - left;
    const lower = room.rows - upper;
    return [
      { x: 0, y: 0, columns: left, rows: upper },
      { x: left, y: 0, columns: right, rows: panes > 3 ? upper : room.rows },
      { x: 0, y: upper, columns: left, rows: lower },
      { x: left, y: upper, columns: right, rows: lower },
    ];
  };
}

function stacked(room: Size, share: number): Area[] {
  const upper = Math.ceil(room.rows * share);
  return [
    { x: 0, y: 0, columns: room.columns, rows: upper },
    { x: 0, y: upper, columns: room.columns, rows: room.rows - upper },
  ];
}

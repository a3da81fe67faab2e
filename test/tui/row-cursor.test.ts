import { expect, it } from "vitest";
import { RowCursor } from "../../src/tui/widgets/row-cursor.ts";

const same = (row: string) => row;
const rowsTo = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`);

function press(cursor: RowCursor<string>, rows: readonly string[], ...names: string[]) {
  for (const name of names) cursor.key({ name }, rows);
  return cursor.chosen(rows);
}

it("stays on its row while others come before it and go", () => {
  const cursor = new RowCursor(same);
  expect(press(cursor, ["a", "b", "c"], "down")).toBe("b");
  expect(cursor.chosen(["x", "y", "a", "b", "c"])).toBe("b");
  expect(cursor.chosen(["b"])).toBe("b");
});

it("goes to the next row when its own has gone, and to the last one when nothing follows", () => {
  const cursor = new RowCursor(same);
  press(cursor, ["a", "b", "c"], "down");
  expect(cursor.chosen(["a", "c"])).toBe("c");
  expect(cursor.chosen(["a"])).toBe("a");
  expect(cursor.chosen([])).toBeUndefined();
  expect(cursor.chosen(["z"])).toBe("z");
});

it("moves by rows, pages and to both ends, and never beyond them", () => {
  const cursor = new RowCursor(same);
  const rows = rowsTo(100);
  cursor.window(rows, 11);
  expect(press(cursor, rows, "up")).toBe("r0");
  expect(press(cursor, rows, "j", "j", "k")).toBe("r1");
  expect(press(cursor, rows, "pagedown")).toBe("r11");
  expect(press(cursor, rows, "G", "down")).toBe("r99");
  expect(press(cursor, rows, "pageup")).toBe("r89");
  expect(press(cursor, rows, "home")).toBe("r0");
  expect(cursor.key({ name: "q" }, rows)).toBe(false);
});

it("keeps the chosen row in sight and shows no emptiness below the last one", () => {
  const cursor = new RowCursor(same);
  const rows = rowsTo(100);
  expect(cursor.window(rows, 10)).toEqual({ first: 0, chosen: 0 });
  press(cursor, rows, "end");
  expect(cursor.window(rows, 10)).toEqual({ first: 90, chosen: 99 });
  expect(cursor.window(rows.slice(0, 95), 10)).toEqual({ first: 85, chosen: 94 });
  expect(cursor.window(rowsTo(3), 10)).toMatchObject({ first: 0 });
});

it("follows the newest row until it is moved away from it, and stays then", () => {
  const cursor = new RowCursor(same, true);
  expect(cursor.chosen(rowsTo(3))).toBe("r2");
  expect(cursor.chosen(rowsTo(5))).toBe("r4");
  expect(press(cursor, rowsTo(5), "up")).toBe("r3");
  expect(cursor.follows).toBe(false);
  expect(cursor.chosen(rowsTo(9))).toBe("r3");
});

import { expect, it } from "vitest";
import { stage } from "./support/stage.ts";

const big = { columns: 200, rows: 60 };
const small = { columns: 80, rows: 24 };

it("chooses the pane that is pressed, and the wheel moves what it is over", async () => {
  const on = stage({ size: small });
  const click = async (kind: "press" | "wheeldown", y: number) => {
    on.screen.events?.click({ x: 5, y, kind });
    await on.settled();
  };
  expect(on.tui.focused.title()).toBe("actors");
  await click("wheeldown", 5);
  expect(on.rows().find((row) => row.startsWith("┌─ call"))).toBeDefined();
  await click("press", 16);
  expect(on.tui.focused.title()).toMatch(/^call/);
  await click("press", 5);
  expect(on.tui.focused.title()).toBe("actors");
});

it("gives the keys back to the first pane when there is no room for the one that has them", async () => {
  const on = stage({ size: big });
  await on.press("S-tab");
  expect(on.tui.focused.title()).not.toBe("actors");
  on.screen.resize(small);
  await on.settled();
  expect(on.tui.focused.title()).toBe("actors");
});

it("shows one pane and what to do where there is no room for more", async () => {
  const on = stage({ size: { columns: 40, rows: 10 } });
  expect(on.rows()[0]).toContain("enlarge the window");
  expect(on.rows()).toHaveLength(10);
});

it.each([
  [1, 1],
  [2, 3],
  [5, 4],
])("survives a screen of %i by %i", (columns, rows) => {
  const on = stage({ size: { columns, rows } });
  expect(on.rows()).toHaveLength(rows);
});

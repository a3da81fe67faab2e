import { describe, expect, it } from "vitest";
import { setup } from "xstate";
import { toSvg } from "../../scripts/charts/chart-svg.ts";
import { nestedKitchenMachine } from "./fixtures/nested-kitchen.machine.ts";

const kitchen = await toSvg(nestedKitchenMachine);

/** The texts of all lines that stand in the picture. */
function textsIn(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, inner = ""]) =>
    inner
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

describe("the picture of a chart", () => {
  it("shows nested states, activities, guards, delays, ends and what is taken in any state", () => {
    const texts = textsIn(kitchen);
    expect(texts).toEqual(
      expect.arrayContaining([
        "stove",
        "do cookDish",
        "dish.ordered [isHungry]",
        "after closingTime",
        "error cookDish",
        "in any state",
        "bell.rung / countBell",
        "kitchen.restart / enter open again",
      ]),
    );
    expect(kitchen.match(/class="initial"/g)?.length).toBe(3);
    expect(kitchen.match(/class="inner" x=/g)?.length).toBeGreaterThan(3);
  });

  it("names the state of each box and the states and events of each arrow, for a page that follows an actor", () => {
    expect(kitchen).toContain('data-id="nested_kitchen.open.stove.hot"');
    expect(kitchen).toContain(
      'data-from="nested_kitchen.open.stove.cold" data-to="nested_kitchen.open.stove.hot" data-events="dish.ordered"',
    );
  });

  it("is told to people who do not see it, and suits light and dark ground without a script", () => {
    expect(kitchen).toContain('role="img" aria-labelledby="chart-title chart-desc"');
    expect(kitchen).toMatch(/<title id="chart-title">nested_kitchen, version [^<]+<\/title>/);
    expect(kitchen).toContain("@media (prefers-color-scheme:dark)");
    expect(kitchen).not.toMatch(/<script|\bon\w+=|href/);
  });

  it("is the same for the same chart", async () => {
    expect(await toSvg(nestedKitchenMachine)).toBe(kitchen);
  });

  it("lets no name or description break out of the picture", async () => {
    const hostile = setup({}).createMachine({
      id: "hostile",
      initial: "one",
      states: {
        one: {
          description: "</title><script>alert(1)</script>\u0007",
          on: { 'x"><script>': { target: "two", guard: () => true } },
        },
        two: { on: { back: "one", again: { target: "two", reenter: true } } },
      },
    });
    const svg = await toSvg(hostile);
    expect(svg).not.toContain("<script");
    expect(svg).not.toContain("\u0007");
    expect(svg).toContain("x&quot;&gt;&lt;script&gt;");
  });
});

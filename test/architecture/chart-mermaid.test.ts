import { expect, it } from "vitest";
import { toMermaid } from "../../src/engine/chart-mermaid.ts";
import { nestedKitchenMachine } from "./fixtures/nested-kitchen.machine.ts";

it("draws nesting, regions, guards, times, activities and what happens in any state", () => {
  expect(toMermaid(nestedKitchenMachine)).toBe(``);
});

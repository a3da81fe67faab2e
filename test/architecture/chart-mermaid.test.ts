import { expect, it } from "vitest";
import { toMermaid } from "../../src/engine/charts/chart-mermaid.ts";
import { nestedKitchenMachine } from "./fixtures/nested-kitchen.machine.ts";
import { teaOrderMachine } from "./fixtures/tea-order.machine.ts";

const kitchen = `stateDiagram-v2
  state "in any state of nested_kitchen" as nested_kitchen__any
  nested_kitchen__any : bell.rung / countBell
  [*] --> nested_kitchen__open
  state "open" as nested_kitchen__open {
    state "in any state of open" as nested_kitchen__open__any
    nested_kitchen__open__any : kitchen.restart / enter open again
    state "stove" as nested_kitchen__open__stove {
      [*] --> nested_kitchen__open__stove__cold
      state "cold" as nested_kitchen__open__stove__cold
      state "hot" as nested_kitchen__open__stove__hot
      nested_kitchen__open__stove__hot : do / cookDish
      state "out" as nested_kitchen__open__stove__out
      nested_kitchen__open__stove__out --> [*]
    }
    --
    state "counter" as nested_kitchen__open__counter {
      [*] --> nested_kitchen__open__counter__staffed
      state "staffed" as nested_kitchen__open__counter__staffed
      state "empty" as nested_kitchen__open__counter__empty
      nested_kitchen__open__counter__empty --> [*]
    }
  }
  state "closed" as nested_kitchen__closed
  nested_kitchen__closed --> [*]
  nested_kitchen__open --> nested_kitchen__closed : kitchen.close
  nested_kitchen__open --> nested_kitchen__closed : done
  nested_kitchen__open__stove__cold --> nested_kitchen__open__stove__hot : dish.ordered [isHungry]
  nested_kitchen__open__stove__hot --> nested_kitchen__open__stove__out : done cookDish
  nested_kitchen__open__stove__hot --> nested_kitchen__open__stove__cold : error cookDish
  nested_kitchen__open__counter__staffed --> nested_kitchen__open__counter__empty : after closingTime`;

it("draws nesting, regions, guards, times, activities and what happens in any state", () => {
  expect(toMermaid(nestedKitchenMachine)).toBe(kitchen);
});

it("draws eventless transitions and what leads from any state to one of them", () => {
  const lines = toMermaid(teaOrderMachine).split("\n");
  expect(lines).toContain(
    "  tea_order__waiting_for_order --> tea_order__boiling : always [hasCups]",
  );
  expect(lines).toContain("  tea_order__any --> tea_order__cancelled : order.cancel");
});

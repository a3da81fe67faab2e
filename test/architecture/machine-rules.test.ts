import { describe, expect, it } from "vitest";
import { loadMachines } from "../../scripts/machines/load-machines.ts";
import { machineFaults } from "./machine-rules.ts";
import { type Change, teaOrderWith } from "./planted-machine.ts";
import { projectRoot } from "./planted-tree.ts";

type Planted = readonly [rule: string, fault: string, ...changes: Change[]];

describe("the machines of the product", () => {
  it("keep the machine rules", async () => {
    const machines = await loadMachines(projectRoot);
    const faults = machines.flatMap((machine) =>
      machineFaults(machine).map((fault) => `${machine.file}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });
});

async function faultsAfter(...changes: readonly Change[]): Promise<string[]> {
  const faults = machineFaults(await teaOrderWith(...changes));
  return faults.map((fault) => fault.replace(/line \d+/, "line N"));
}

describe("the machine rules", () => {
  it("let a machine pass that keeps them", async () => {
    expect(await faultsAfter()).toEqual([]);
  });

  it("let an ancestor handle an error of a child", async () => {
    const faults = await faultsAfter(
      [`onError: { target: "failed" },`, ""],
      [
        `"order.cancel": { target: ".cancelled" },`,
        `"order.cancel": { target: ".cancelled" }, "xstate.error.actor.boilWater": { target: ".failed" },`,
      ],
    );
    expect(faults).toEqual([]);
  });

  it("let a state say why the guard of an event may refuse it", async () => {
    const faults = await faultsAfter(
      [`on: { "order.placed": { target`, `on: { "order.placed": { guard: "hasCups", target`],
      [`"It holds no water of ours."`, `"No water of ours.", "order.placed": "No cups, no tea."`],
    );
    expect(faults).toEqual([]);
  });

  const planted: readonly Planted[] = [
    [
      "an id unlike the file name",
      "the id is teaOrder, not tea_order",
      [`"tea_order"`, `"teaOrder"`],
    ],
    [
      "a missing version",
      `the version is missing, not a counted one like "1"`,
      [`version: "1",`, ""],
    ],
    [
      "a state in camel case",
      "tea_order.waitingForOrder is not named in snake_case",
      [`initial: "waiting_for_order"`, `initial: "waitingForOrder"`],
      [`waiting_for_order: {`, `waitingForOrder: {`],
    ],
    [
      "a state without description",
      "tea_order.boiling has no description",
      [`description: "The kettle is on.",`, ""],
    ],
    ["an unknown tag", "tea_order.boiling has the unknown tag hot", [`["busy"]`, `["hot"]`]],
    [
      "a final state without the tag terminal",
      "tea_order.served is final without the tag terminal",
      [`"The tea is on the table.", tags: ["terminal"]`, `"The tea is on the table."`],
    ],
    [
      "an event that is one shouted word",
      "the event BOILED is not named subject.verb",
      [`"kettle.boiled": { target: "served" }`, `BOILED: { target: "served" }`],
      [`"kettle.boiled": "It holds`, `"BOILED": "It holds`],
    ],
    [
      "an inline action",
      "machine.states.waiting_for_order.on.order.placed.actions is code, not a name",
      [`actions: "setCups"`, `actions: () => undefined`],
    ],
    [
      "an inline guard",
      "machine.states.waiting_for_order.always.guard is code, not a name",
      [`guard: "hasCups"`, `guard: () => false`],
    ],
    [
      "an action that setup does not declare",
      "tea_order.waiting_for_order names setCup, which setup lacks among its actions",
      [`actions: "setCups"`, `actions: "setCup"`],
    ],
    [
      "a guard that setup does not declare",
      "tea_order.waiting_for_order names isThirsty, which setup lacks among its guards",
      [`guard: "hasCups"`, `guard: "isThirsty"`],
    ],
    [
      "an actor that setup does not declare",
      "tea_order.boiling names boilMilk, which setup lacks among its actors",
      [`src: "boilWater"`, `src: "boilMilk"`],
    ],
    [
      "a delay in numbers",
      "tea_order.boiling has 500 where the name of one of its delays belongs",
      [`after: { patience:`, `after: { 500:`],
    ],
    [
      "actor logic that is no promise",
      "fromCallback at line N: only fromPromise may stand for an actor",
      [`import { assign,`, `import { fromCallback, assign,`],
    ],
    [
      "a wildcard handler",
      "the handler '*' takes events that it does not name",
      [`"actor.failed": { target: ".failed" },`, `"actor.failed": { target: ".failed" }, "*": {},`],
    ],
    [
      "an always transition that leads back",
      "tea_order.waiting_for_order comes back to itself through always transitions",
      [
        `description: "The kettle is on.",`,
        `description: "The kettle is on.", always: { guard: "hasCups", target: "waiting_for_order" },`,
      ],
    ],
    [
      "an always transition that goes nowhere",
      "tea_order.waiting_for_order comes back to itself through always transitions",
      [
        `always: { guard: "hasCups", target: "boiling" }`,
        `always: { guard: "hasCups", actions: "setCups" }`,
      ],
    ],
    [
      "a spread in the chart",
      `line N of the chart is not literal: ...{ meta: {} }`,
      [`meta: { ignores: { "order.placed": "One order at a time." } },`, `...{ meta: {} },`],
    ],
    [
      "a state that a function builds",
      `line N of the chart is not literal: Object({ type: "final", description: "The tea is on the table.", tags: ["terminal"] })`,
      [
        `{ type: "final", description: "The tea is on the table.", tags: ["terminal"] }`,
        `Object({ type: "final", description: "The tea is on the table.", tags: ["terminal"] })`,
      ],
    ],
    [
      "a computed key",
      "line N of the chart has a computed key",
      [`entry: { type: "spawnActor"`, `["entry"]: { type: "spawnActor"`],
    ],
    [
      "a second chart in the file",
      "has 2 calls of setup({...}).createMachine({...})",
      [`/** A small`, `export const other = setup({}).createMachine({});\n/** A small`],
    ],
    [
      "an event that a state neither handles nor ignores",
      "tea_order.boiling neither handles nor ignores order.placed",
      [`meta: { ignores: { "order.placed": "One order at a time." } },`, ""],
    ],
    [
      "a cancel that a state neither handles nor ignores",
      "tea_order.boiling neither handles nor ignores order.cancel",
      [`"order.cancel": { target: ".cancelled" },`, ""],
      [`tags: ["waiting"],`, `tags: ["waiting"], meta: {},`],
      [
        `on: { "order.placed": { target: "boiling", actions: "setCups" } },`,
        `on: { "order.placed": { target: "boiling", actions: "setCups" }, "order.cancel": { target: "cancelled" } },`,
      ],
    ],
    [
      "an ignored event without a reason",
      "tea_order.boiling ignores order.placed without a reason",
      [`"One order at a time."`, `""`],
    ],
    [
      "an ignored event that no state handles",
      "tea_order.boiling ignores order.eaten, which no state handles",
      [`"One order at a time." }`, `"One order at a time.", "order.eaten": "Tea is drunk." }`],
    ],
    [
      "an ignored event that is handled all the same",
      "tea_order.boiling ignores order.cancel, but always handles it",
      [`"One order at a time." }`, `"One order at a time.", "order.cancel": "Too late." }`],
    ],
    [
      "an activity whose end is not heard",
      "tea_order.boiling invokes boilWater without onDone",
      [`onDone: { target: "served", actions: "recordServing" },`, ""],
    ],
    [
      "an activity whose failure is not heard",
      "tea_order.boiling invokes boilWater without onError",
      [`onError: { target: "failed" },`, ""],
    ],
    [
      "a parent that does not hear that a child failed",
      "tea_order.boiling does not handle actor.failed, though the machine spawns actors",
      [`"actor.failed": { target: ".failed" },`, ""],
    ],
  ];

  for (const [rule, fault, ...changes] of planted) {
    it(`refuse ${rule}`, async () => {
      expect(await faultsAfter(...changes)).toContain(fault);
    });
  }
});

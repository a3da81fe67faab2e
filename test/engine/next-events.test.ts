import { createMachine, type AnyMachineSnapshot, getInitialSnapshot, setup } from "xstate";
import { expect, it } from "vitest";
import { activePaths } from "../../src/engine/kernel/actor-state.ts";
import { nextEventsOf } from "../../src/engine/views/next-events.ts";

type Context = { readonly open: boolean };
type DoorEvent = { readonly type: "door.pull" | "door.push" | "door.knock"; readonly by?: string };

const door = setup({
  types: { context: {} as Context, input: {} as Context, events: {} as DoorEvent },
  guards: {
    isOpen: ({ context }) => context.open,
    isKnown: ({ event }) => event.by === "ann",
    isTired: () => {
      throw new Error("a guard of its own mind");
    },
    isOpenAs: ({ context }, { wanted }: { wanted: boolean }) => context.open === wanted,
  },
});

const snapshotOf = (machine: ReturnType<typeof door.createMachine>, open: boolean) =>
  getInitialSnapshot(machine, { open }) as AnyMachineSnapshot;

const plain = door.createMachine({
  context: ({ input }) => input,
  initial: "shut",
  states: {
    shut: {
      on: {
        "door.pull": [
          { guard: "isOpen", target: "ajar" },
          { guard: "isKnown", target: "wide" },
        ],
        "door.push": { guard: "isOpen", target: "ajar" },
        "door.knock": [{ guard: "isKnown", actions: [] }, { target: "wide" }, { target: "ajar" }],
      },
    },
    ajar: {},
    wide: {},
  },
});

it("offers an event with every state that some payload of it leads to", () => {
  expect(nextEventsOf(snapshotOf(plain, false))).toEqual([
    { type: "door.knock", targets: ["shut", "wide"] },
    { type: "door.pull", targets: ["wide"] },
  ]);
});

it("offers nothing behind what is taken whatever the payload", () => {
  expect(nextEventsOf(snapshotOf(plain, true))).toEqual([
    { type: "door.knock", targets: ["shut", "wide"] },
    { type: "door.pull", targets: ["ajar"] },
    { type: "door.push", targets: ["ajar"] },
  ]);
});

it("offers what a guard guards that fails without a payload, and asks one with parameters", () => {
  const machine = door.createMachine({
    context: ({ input }) => input,
    initial: "shut",
    states: {
      shut: {
        on: {
          "door.pull": { guard: "isTired", target: "ajar" },
          "door.push": { guard: { type: "isOpenAs", params: { wanted: false } }, target: "ajar" },
          "door.knock": { guard: { type: "isOpenAs", params: { wanted: true } }, target: "ajar" },
        },
      },
      ajar: {},
    },
  });
  expect(nextEventsOf(snapshotOf(machine, false))).toEqual([
    { type: "door.pull", targets: ["ajar"] },
    { type: "door.push", targets: ["ajar"] },
  ]);
});

it("takes the inner state's word before the outer one's, region by region", () => {
  const machine = createMachine({
    initial: "house",
    on: { "door.push": ".left" },
    states: {
      house: {
        type: "parallel",
        on: { "door.knock": "left", "door.pull": "left" },
        states: {
          bell: {
            initial: "still",
            states: { still: { on: { "door.knock": "ringing" } }, ringing: {} },
          },
          lamp: { initial: "off", states: { off: { on: { "door.knock": "on" } }, on: {} } },
        },
      },
      left: {},
    },
  });
  const snapshot = getInitialSnapshot(machine) as AnyMachineSnapshot;
  expect(nextEventsOf(snapshot)).toEqual([
    { type: "door.knock", targets: ["house.bell.ringing", "house.lamp.on"] },
    { type: "door.pull", targets: ["left"] },
    { type: "door.push", targets: ["left"] },
  ]);
  expect(activePaths(snapshot.value)).toEqual([
    "house",
    "house.bell",
    "house.bell.still",
    "house.lamp",
    "house.lamp.off",
  ]);
});

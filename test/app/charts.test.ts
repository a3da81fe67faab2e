import { type AnyStateMachine, createMachine } from "xstate";
import { describe, expect, it } from "vitest";
import { machineEntries } from "../../src/actors/machine-entries.ts";
import { listCharts, showChart } from "../../src/app/charts.ts";
import { transitionsOf, withDescendants } from "../../src/engine/charts/chart-labels.ts";
import { chartDetails } from "../../src/schema/shown/chart-view.ts";

const names = listCharts().map(({ name }) => name);

function skeleton(machine: AnyStateMachine) {
  return withDescendants(machine.root).map((node) => ({
    id: node.id,
    type: node.type,
    transitions: transitionsOf(node).map(({ eventType, target, guard }) => ({
      eventType,
      target: target?.map(({ id }) => id),
      guard,
    })),
  }));
}

describe.each(names)("the chart of %s", (name) => {
  const machine = machineEntries.map((entry) => entry.machine).find(({ id }) => id === name);
  if (machine === undefined) throw new Error(`no machine is called ${name}`);

  it("is whole as JSON: XState builds the same chart from it", () => {
    const { config } = chartDetails.parse(showChart(name));
    const built = createMachine(JSON.parse(JSON.stringify(config)) as never);
    expect(skeleton(built)).toEqual(skeleton(machine));
  });

  it("lists every state in the chart's order, with all its transitions", () => {
    const { states } = showChart(name);
    expect(states.map(({ path }) => path)).toEqual(
      withDescendants(machine.root).map((node) => node.path.join(".")),
    );
    expect(states.flatMap(({ transitions }) => transitions)).toHaveLength(
      withDescendants(machine.root).flatMap(transitionsOf).length,
    );
    const paths = new Set(states.map(({ path }) => path));
    const targets = states.flatMap(({ transitions }) => transitions.flatMap((one) => one.targets));
    expect(targets.filter((path) => !paths.has(path))).toEqual([]);
  });
});

it("calls a run's transitions as every drawing of them does", () => {
  const { states, events } = showChart("run");
  expect(states.slice(0, 2)).toMatchObject([
    { path: "", key: "run", depth: 0, type: "compound", initial: false },
    { path: "idle", key: "idle", depth: 1, type: "atomic", initial: true, tags: ["waiting"] },
  ]);
  const thinking = states.find(({ path }) => path === "thinking");
  expect(thinking?.invokes).toEqual(["callModel"]);
  expect(
    thinking?.transitions.map(({ trigger, guard, targets }) =>
      [trigger, guard ?? "", targets.join()].join("|"),
    ),
  ).toEqual([
    "inbox.handed||",
    "run.steered||",
    "run.stop_after_step||",
    "run.cancel||cancelling",
    "done callModel|isRefusal|failed",
    "done callModel|isOverToolRounds|failed",
    "done callModel|repeatsItself|failed",
    "done callModel|hasToolCalls|awaiting_tool",
    "done callModel|isSteeredOn|thinking",
    "done callModel||done",
    "error callModel|canShorten|thinking",
    "error callModel|stopsInsteadOfAsking|cancelled",
    "error callModel|isOverBudget|paused_budget",
    "error callModel||failed",
    "after runDeadline||failed",
  ]);
  expect(events.find(({ type }) => type === "run.cancel")).toMatchObject({ pokeable: true });
});

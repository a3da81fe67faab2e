import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyStateMachine } from "xstate";
import { machineEntries } from "../actors/machine-entries.ts";
import { packageRoot } from "../config/home.ts";
import { isBuiltIn } from "../engine/charts/chart-labels.ts";
import { toMermaid } from "../engine/charts/chart-mermaid.ts";
import { outlineOf } from "../engine/charts/chart-outline.ts";
import type { ChartDetails, ChartSummary } from "../schema/shown/chart-view.ts";
import { AgentError } from "../schema/errors.ts";
import { describeEvent } from "../schema/events/events.ts";
import type { JsonObject } from "../schema/json.ts";

/** The charts that drive the service, for people and for Stately. */

export function listCharts(): readonly ChartSummary[] {
  return machineEntries.map(({ machine }) => ({
    name: machine.id,
    version: machine.version ?? "",
    states: Object.keys(machine.states),
    events: eventsOf(machine),
  }));
}

/** @throws AgentError machine.not_found */
export function showChart(name: string): ChartDetails {
  const machine = findMachine(name);
  return {
    name,
    version: machine.version ?? "",
    description: machine.root.description ?? "",
    states: outlineOf(machine),
    events: eventsOf(machine).map(describeEvent),
    mermaid: toMermaid(machine),
    config: configOf(machine),
  };
}

/** The picture that ships with the package, docs/machines/NAME.svg. @throws AgentError machine.not_found */
export function chartPicture(name: string): string {
  const { id } = findMachine(name);
  return readFileSync(join(packageRoot(), "docs", "machines", `${id}.svg`), "utf8");
}

function findMachine(name: string): AnyStateMachine {
  const entry = machineEntries.find(({ machine }) => machine.id === name);
  if (entry !== undefined) return entry.machine;
  const known = machineEntries.map(({ machine }) => machine.id).join(", ");
  throw new AgentError(
    "machine.not_found",
    `There is no machine ${JSON.stringify(name)}; there are: ${known}.`,
  );
}

function eventsOf({ events }: AnyStateMachine): string[] {
  return (events as readonly string[]).filter((type) => !isBuiltIn(type)).toSorted();
}

/** JSON has no functions: they are left out, and their names stay. */
function configOf({ config }: AnyStateMachine): JsonObject {
  return JSON.parse(JSON.stringify(config)) as JsonObject;
}

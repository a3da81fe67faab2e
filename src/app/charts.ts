import { readFileSync } from "node:fs";
import { join } from "node:path";
import { machineEntries } from "../actors/machine-entries.ts";
import { packageRoot } from "../config/home.ts";
import { toMermaid } from "../engine/chart-mermaid.ts";
import { AgentError } from "../schema/errors.ts";

/** The charts that drive the service, for people and for Stately. */

export type ChartSummary = {
  readonly name: string;
  readonly version: string;
  readonly states: readonly string[];
  readonly events: readonly string[];
};

export function listCharts(): readonly ChartSummary[] {
  return machineEntries.map(({ machine }) => ({
    name: machine.id,
    version: machine.version ?? "",
    states: Object.keys(machine.states),
    events: (machine.events as readonly string[])
      .filter((type) => !type.startsWith("xstate."))
      .toSorted(),
  }));
}

export type ChartFormat = "json" | "mermaid" | "svg";

/** `json` is the machine's config as Stately Studio imports it: functions are left out, their names stay. `svg` is the
 *  picture that ships with the package, docs/machines/NAME.svg.
 *  @throws AgentError machine.not_found */
export function showChart(name: string, format: ChartFormat): string {
  const entry = machineEntries.find(({ machine }) => machine.id === name);
  if (entry === undefined) {
    const known = machineEntries.map(({ machine }) => machine.id).join(", ");
    throw new AgentError(
      "machine.not_found",
      `There is no machine ${JSON.stringify(name)}; there are: ${known}.`,
    );
  }
  if (format === "svg") return readPicture(entry.machine.id);
  return format === "mermaid"
    ? toMermaid(entry.machine)
    : JSON.stringify(entry.machine.config, null, 2);
}

function readPicture(name: string): string {
  return readFileSync(join(packageRoot(), "docs", "machines", `${name}.svg`), "utf8");
}

import { Cron } from "croner";
import { cronFields } from "../schema/config/config-schedules.ts";
import { cronRules } from "../schema/cron.ts";
import type { ConfigFault } from "./config-fault.ts";
import { faultIn } from "./config-fault.ts";
import type { ConfigSources } from "./config-sources.ts";
import { duplicateEntries, faultAt, unknownAgent } from "./entry-faults.ts";
import { nearest } from "./nearest.ts";
import type { ConfigSource } from "./shape-faults.ts";
import { idsOf, listAt, textAt, valueAt } from "./source-values.ts";
import type { Path } from "./yaml-tree.ts";

/** Whether what stands in schedules.yaml is due at all, says one thing to do, and names agents and connectors that are there. */
export function scheduleFaults(sources: ConfigSources): ConfigFault[] {
  const { schedules } = sources;
  if (schedules === null) return [];
  const entries = listAt(schedules, []).map((_, index): Path => [index]);
  return [
    ...duplicateEntries(schedules, [], "schedule"),
    ...entries.flatMap((entry) => [
      ...cronFaults(schedules, [...entry, "cron"]),
      ...workFaults(schedules, entry),
      ...agentFaults(schedules, [...entry, "agent"], sources),
      ...connectorFaults(schedules, [...entry, "deliver", "connector"], sources),
    ]),
  ];
}

/** Croner reads it, as it does when the next time is looked for. */
function cronFaults(schedules: ConfigSource, path: Path): ConfigFault[] {
  const cron = textAt(schedules, path);
  if (cron === null || !cronFields.test(cron)) return [];
  try {
    const next = new Cron(cron, { ...cronRules, timezone: "UTC" }).nextRun(new Date(0));
    return next === null ? [faultAt(schedules, path, "is never due: no year has such a day")] : [];
  } catch (thrown) {
    return [faultAt(schedules, path, `cannot be read as a time: ${reasonOf(thrown)}`)];
  }
}

/** In croner's words, which count days and months from 0 where they are out of range. */
function reasonOf(thrown: unknown): string {
  const said = thrown instanceof Error ? thrown.message : String(thrown);
  return said
    .replace(/^CronPattern: (?:Syntax error, )?/, "")
    .replace("dayOfWeek", "weekday")
    .replace(/^Invalid value for (\w+): .*$/, "the $1 is out of range");
}

function workFaults(schedules: ConfigSource, entry: Path): ConfigFault[] {
  const has = (key: string) => (valueAt(schedules, [...entry, key]) ?? null) !== null;
  if (has("command"))
    return ["agent", "task", "deliver"]
      .filter(has)
      .map((key) => faultAt(schedules, [...entry, key], "goes with a task, not with a command"));
  const missing = ["agent", "task"].filter((key) => !has(key));
  if (missing.length === 0) return [];
  return [
    faultIn(schedules.file, `has no ${missing.join(" and no ")}`, {
      place: schedules.tree.valuePlace(entry),
      path: entry,
      expected: "either command, or agent and task",
    }),
  ];
}

function agentFaults(
  schedules: ConfigSource,
  path: Path,
  { agents, isComplete }: ConfigSources,
): ConfigFault[] {
  const id = textAt(schedules, path);
  if (id === null || !isComplete.agents) return [];
  const agent = agents.find((one) => textAt(one, ["id"]) === id);
  if (agent === undefined) return [unknownAgent(schedules, path, idsOf(agents))];
  const isDisabled = valueAt(agent, ["enabled"]) === false;
  return isDisabled ? [faultAt(schedules, path, `the agent ${id} is disabled`)] : [];
}

function connectorFaults(
  schedules: ConfigSource,
  path: Path,
  { main, isComplete }: ConfigSources,
): ConfigFault[] {
  const id = textAt(schedules, path);
  if (id === null || !isComplete.main) return [];
  const connectors = main === null ? [] : listAt(main, ["connectors"]);
  const known = connectors
    .map((_, index) => (main === null ? null : textAt(main, ["connectors", index, "id"])))
    .filter((one) => one !== null);
  if (known.includes(id)) return [];
  return [
    faultIn(schedules.file, "no connector has this id", {
      place: schedules.tree.valuePlace(path),
      path,
      expected: known.length === 0 ? "one that stands in main.yaml" : `one of ${known.join(", ")}`,
      nearest: nearest(id, known),
    }),
  ];
}

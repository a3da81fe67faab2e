import type { Results } from "../../schema/socket/protocol.ts";
import { shown } from "../../text/shown.ts";
import { facts } from "./table.ts";

type Reloaded = Results["config.reload"];

/** What a reload has changed, and what it could not. */
export function reloadedText({
  agents,
  providers,
  settings,
  needs_restart,
  warnings,
}: Reloaded): string {
  const rows: [string, string][] = [
    ...changes("agents", agents),
    ...changes("providers", providers),
    ...list("settings", settings),
  ];
  const later = list("needs a restart", needs_restart);
  const heading =
    rows.length === 0
      ? "The service has read its configuration again; nothing has changed."
      : "The service works with the new configuration; runs that work keep the one that they began with.";
  return [
    heading,
    ...(rows.length + later.length === 0 ? [] : [facts([...rows, ...later])]),
    ...warnings.map((warning) => `warning: ${shown(warning)}`),
  ].join("\n");
}

function changes(what: string, { added, changed, removed }: Reloaded["agents"]) {
  return [
    ...list(`${what} added`, added),
    ...list(`${what} changed`, changed),
    ...list(`${what} removed`, removed),
  ];
}

function list(name: string, values: readonly string[]): [string, string][] {
  return values.length === 0 ? [] : [[name, shown(values.join(", "))]];
}

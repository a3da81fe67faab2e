import { isDeepStrictEqual } from "node:util";
import type { ConfigFault } from "./config-fault.ts";
import { faultIn } from "./config-fault.ts";
import type { ConfigSources } from "./config-sources.ts";
import { nearest } from "./nearest.ts";
import type { ConfigSource } from "./shape-faults.ts";
import { idsOf, listAt, textAt, valueAt } from "./source-values.ts";
import type { Path } from "./yaml-tree.ts";

/** Whether routing.yaml leads to agents that answer, from connectors that are there. */

const localConnector = "local";
const matchKeys = ["channel_type", "connector_id", "conversation_scope", "user_scope"] as const;

export function routingFaults(sources: ConfigSources): ConfigFault[] {
  const { routing, agents, isComplete } = sources;
  if (routing === null) return [];
  const bindings = listAt(routing, ["bindings"]).map((_, index) => ["bindings", index]);
  const targets = [["default_agent"], ...bindings.map((binding) => [...binding, "agent"])];
  return [
    ...(isComplete.agents ? targets.flatMap((path) => agentFault(routing, path, agents)) : []),
    ...bindings.flatMap((binding) => connectorFault(routing, binding, sources)),
    ...bindings.flatMap((binding, index) => reachFault(routing, binding, bindings.slice(0, index))),
  ];
}

function agentFault(
  routing: ConfigSource,
  path: Path,
  agents: readonly ConfigSource[],
): ConfigFault[] {
  const id = textAt(routing, path);
  if (id === null) return [];
  const place = routing.tree.valuePlace(path);
  const known = idsOf(agents);
  const agent = agents.find((one) => textAt(one, ["id"]) === id);
  if (agent === undefined)
    return [
      faultIn(routing.file, "no agent has this id", {
        place,
        path,
        expected: `one of ${known.join(", ")}`,
        nearest: nearest(id, known),
      }),
    ];
  if (valueAt(agent, ["enabled"]) !== false) return [];
  return [faultIn(routing.file, `the agent ${id} is disabled`, { place, path })];
}

function connectorFault(
  routing: ConfigSource,
  binding: Path,
  { main, isComplete }: ConfigSources,
): ConfigFault[] {
  const path = [...binding, "match", "connector_id"];
  const id = textAt(routing, path);
  if (id === null || !isComplete.main) return [];
  const configured =
    main === null
      ? []
      : listAt(main, ["connectors"]).map((_, index) => textAt(main, ["connectors", index, "id"]));
  const known = [localConnector, ...configured.filter((one) => one !== null)];
  if (known.includes(id)) return [];
  return [
    faultIn(routing.file, "no connector has this id", {
      place: routing.tree.valuePlace(path),
      path,
      expected: `one of ${known.join(", ")}`,
      nearest: nearest(id, known),
    }),
  ];
}

/** Of equals the first decides: a second one with the same match is never reached, which nobody means. */
function reachFault(routing: ConfigSource, binding: Path, before: readonly Path[]): ConfigFault[] {
  const matchOf = (one: Path) =>
    matchKeys.map((key) => valueAt(routing, [...one, "match", key]) ?? null);
  const match = matchOf(binding);
  const cover = before.find((earlier) => isDeepStrictEqual(matchOf(earlier), match));
  if (cover === undefined) return [];
  const { line } = routing.tree.valuePlace(cover);
  return [
    faultIn(routing.file, `is never reached: the binding in line ${line} matches the same`, {
      place: routing.tree.valuePlace(binding),
      path: binding,
    }),
  ];
}

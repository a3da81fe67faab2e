import type { ConfigFault } from "./config-fault.ts";
import { faultIn } from "./config-fault.ts";
import type { ConfigSources } from "./config-sources.ts";
import { duplicateEntries, faultAt, unknownAgent } from "./entry-faults.ts";
import type { ConfigSource } from "./shape-faults.ts";
import { idsOf, listAt, textAt, valueAt } from "./source-values.ts";
import type { Path } from "./yaml-tree.ts";

/** Whether the connectors of main.yaml have names of their own, agents that answer, and a listener where they are called. */

const list = ["connectors"];

export function connectorFaults(
  main: ConfigSource,
  { agents, isComplete }: Pick<ConfigSources, "agents" | "isComplete">,
): ConfigFault[] {
  const connectors = listAt(main, list).map((_, index): Path => [...list, index]);
  return [
    ...duplicateEntries(main, list, "connector"),
    ...connectors.flatMap((connector) => reservedFaults(main, connector)),
    ...(isComplete.agents
      ? connectors.flatMap((connector) => agentFaults(main, connector, agents))
      : []),
    ...listenerFaults(main, connectors),
  ];
}

function reservedFaults(main: ConfigSource, connector: Path): ConfigFault[] {
  const path = [...connector, "id"];
  if (textAt(main, path) !== "local") return [];
  return [faultAt(main, path, "the id local is the chat of this machine; choose another")];
}

function agentFaults(
  main: ConfigSource,
  connector: Path,
  agents: readonly ConfigSource[],
): ConfigFault[] {
  const offered = [...connector, "agents"];
  return listAt(main, offered).flatMap((id, index) => {
    if (typeof id !== "string") return [];
    const path = [...offered, index];
    const agent = agents.find((one) => textAt(one, ["id"]) === id);
    if (agent === undefined) return [unknownAgent(main, path, idsOf(agents))];
    const isDisabled = valueAt(agent, ["enabled"]) === false;
    return isDisabled ? [faultAt(main, path, `the agent ${id} is disabled`)] : [];
  });
}

function listenerFaults(main: ConfigSource, connectors: readonly Path[]): ConfigFault[] {
  const path = ["http", "port"];
  const called = connectors.find((connector) => isCalled(main, connector));
  if (called === undefined || (valueAt(main, path) ?? null) !== null) return [];
  const id = textAt(main, [...called, "id"]) ?? "";
  return [
    faultIn(main.file, `is missing, and the connector ${id} is called by others`, {
      place: main.tree.valuePlace(path),
      path,
      expected: "the port to listen at; 0: any that is free",
    }),
  ];
}

/** Whether it is run, and others bring it what they have. */
export function isCalled(main: ConfigSource, connector: Path): boolean {
  if (valueAt(main, [...connector, "enabled"]) === false) return false;
  const webhook = valueAt(main, [...connector, "webhook"]) ?? null;
  return textAt(main, [...connector, "type"]) === "webhook" || webhook !== null;
}

import { answeringProviders } from "../schema/config/config-provider.ts";
import type { ConfigFault } from "./config-fault.ts";
import { faultIn } from "./config-fault.ts";
import type { ConfigSources } from "./config-sources.ts";
import { connectorFaults } from "./connector-references.ts";
import { embeddingFaults } from "./embedding-faults.ts";
import { faultAt, unknownAgent } from "./entry-faults.ts";
import { nearest } from "./nearest.ts";
import { routingFaults } from "./routing-references.ts";
import { scheduleFaults } from "./schedule-faults.ts";
import type { ConfigSource } from "./shape-faults.ts";
import { idsOf, listAt, textAt } from "./source-values.ts";
import type { Path } from "./yaml-tree.ts";

/** Faults between files. They are looked for in the files as written, so that one fault does not hide another. */

export function referenceFaults(sources: ConfigSources): ConfigFault[] {
  const { main, agents, providers, isComplete } = sources;
  const agentIds = idsOf(agents);
  return [
    ...duplicateFiles(agents, "agent"),
    ...duplicateFiles(providers, "provider"),
    ...(main === null ? [] : connectorFaults(main, { agents, isComplete })),
    ...(main === null ? [] : embeddingFaults(main)),
    ...scheduleFaults(sources),
    ...(isComplete.providers ? agents.flatMap((agent) => modelFaults(agent, providers)) : []),
    ...(isComplete.agents ? agents.flatMap((agent) => subAgentFaults(agent, agentIds)) : []),
    ...agents.flatMap(repeatedTools),
    ...routingFaults(sources),
  ];
}

/** The faults of a home that lacks what no service can do without. */
export function absenceFaults(
  config: string,
  { agents, providers, isComplete }: ConfigSources,
): ConfigFault[] {
  const hint = "run statehive init to write the shipped one";
  const noAgent = agents.length === 0 && isComplete.agents;
  const noProvider = providers.length === 0 && isComplete.providers;
  return [
    ...(noAgent ? [faultIn(`${config}/agents.d`, `there is no agent; ${hint}`)] : []),
    ...(noProvider ? [faultIn(`${config}/providers.d`, `there is no provider; ${hint}`)] : []),
  ];
}

function duplicateFiles(sources: readonly ConfigSource[], kind: string): ConfigFault[] {
  const first = new Map<string, string>();
  return sources.flatMap((source) => {
    const id = textAt(source, ["id"]);
    if (id === null) return [];
    const earlier = first.get(id);
    first.set(id, earlier ?? source.file);
    if (earlier === undefined) return [];
    return [faultAt(source, ["id"], `another ${kind} has the same id, in ${earlier}`)];
  });
}

function modelFaults(agent: ConfigSource, providers: readonly ConfigSource[]): ConfigFault[] {
  const fallbacks = ["model_policy", "fallbacks"];
  const paths = [
    ["model_policy", "primary"],
    ...listAt(agent, fallbacks).map((_, index) => [...fallbacks, index]),
  ];
  return paths.flatMap((path) => {
    const fault = modelFault(agent, path, providers);
    return fault === null ? [] : [fault];
  });
}

function modelFault(
  agent: ConfigSource,
  path: Path,
  providers: readonly ConfigSource[],
): ConfigFault | null {
  const model = textAt(agent, path);
  const slash = model?.indexOf("/") ?? -1;
  if (model === null || slash <= 0) return null;
  const id = model.slice(0, slash);
  const types = new Map(providers.map((one) => [textAt(one, ["id"]) ?? "", textAt(one, ["type"])]));
  const type = types.get(id);
  if (type !== undefined && (type === null || answeringProviders.has(type))) return null;
  const ids = [...types.keys()].filter((one) => answeringProviders.has(types.get(one) ?? ""));
  const message =
    type === undefined
      ? "no provider has this id"
      : `this version does not speak to providers of type ${type} yet`;
  return faultIn(agent.file, message, {
    place: agent.tree.valuePlace(path),
    path,
    expected: ids.length === 0 ? "auto" : `auto, or a model of ${ids.join(", ")}`,
    nearest: nearest(id, ids),
  });
}

function subAgentFaults(agent: ConfigSource, agentIds: readonly string[]): ConfigFault[] {
  const list = ["sub_agents", "allow"];
  return listAt(agent, list).flatMap((id, index) => {
    const isKnown = typeof id !== "string" || agentIds.includes(id);
    return isKnown ? [] : [unknownAgent(agent, [...list, index], agentIds)];
  });
}

function repeatedTools(agent: ConfigSource): ConfigFault[] {
  return [
    ["tools", "allow"],
    ["sub_agents", "allowed_tools"],
  ].flatMap((list) => {
    const tools = listAt(agent, list);
    return tools.flatMap((tool, index) =>
      tools.indexOf(tool) === index
        ? []
        : [faultAt(agent, [...list, index], "the tool is listed twice")],
    );
  });
}

import type { Json } from "../schema/json.ts";
import type { ConfigFault } from "./config-fault.ts";
import { faultIn } from "./config-fault.ts";
import type { ConfigSources } from "./config-sources.ts";
import { nearest } from "./nearest.ts";
import type { ConfigSource } from "./shape-faults.ts";
import type { Path } from "./yaml-tree.ts";

/** Faults between files. They are looked for in the files as written, so that one fault does not hide another. */

export function referenceFaults({ agents, providers, isComplete }: ConfigSources): ConfigFault[] {
  const providerIds = idsOf(providers);
  return [
    ...duplicates(agents, "agent"),
    ...duplicates(providers, "provider"),
    ...(isComplete.providers ? agents.flatMap((agent) => unknownProvider(agent, providerIds)) : []),
    ...agents.flatMap(repeatedTools),
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

export function textAt(source: ConfigSource, path: Path): string | null {
  const found = path.reduce<Json | undefined>(
    (value, key) => childOf(value, String(key)),
    source.tree.value,
  );
  return typeof found === "string" ? found : null;
}

function childOf(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as { readonly [name: string]: Json })[key];
}

function idsOf(sources: readonly ConfigSource[]): string[] {
  return sources.map((source) => textAt(source, ["id"])).filter((id) => id !== null);
}

function duplicates(sources: readonly ConfigSource[], kind: string): ConfigFault[] {
  const first = new Map<string, string>();
  return sources.flatMap((source) => {
    const id = textAt(source, ["id"]);
    if (id === null) return [];
    const earlier = first.get(id);
    first.set(id, earlier ?? source.file);
    if (earlier === undefined) return [];
    const place = source.tree.valuePlace(["id"]);
    return [
      faultIn(source.file, `another ${kind} has the same id, in ${earlier}`, {
        place,
        path: ["id"],
      }),
    ];
  });
}

function unknownProvider(agent: ConfigSource, providerIds: readonly string[]): ConfigFault[] {
  const path = ["model_policy", "primary"];
  const primary = textAt(agent, path);
  const slash = primary?.indexOf("/") ?? -1;
  if (primary === null || slash <= 0) return [];
  const provider = primary.slice(0, slash);
  if (providerIds.includes(provider)) return [];
  return [
    faultIn(agent.file, "no provider has this id", {
      place: agent.tree.valuePlace(path),
      path,
      expected: `auto, or a model of ${providerIds.join(", ")}`,
      nearest: nearest(provider, providerIds),
    }),
  ];
}

function repeatedTools(agent: ConfigSource): ConfigFault[] {
  const tools = childOf(childOf(agent.tree.value, "tools"), "allow");
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool, index) => {
    if (tools.indexOf(tool) === index) return [];
    const path = ["tools", "allow", index];
    return [
      faultIn(agent.file, "the tool is listed twice", { place: agent.tree.valuePlace(path), path }),
    ];
  });
}

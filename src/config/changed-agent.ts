import { join, resolve } from "node:path";
import { AgentError } from "../schema/errors.ts";
import { collectSources } from "./config-sources.ts";
import type { Environment } from "./environment.ts";
import { configProblem, readGuarded } from "./guarded-file.ts";
import { HomeFiles } from "./home-files.ts";
import { loadConfig, type LoadResult } from "./load-config.ts";
import { textAt } from "./source-values.ts";
import { yamlLimits } from "./yaml-guard.ts";
import { readYaml } from "./yaml-tree.ts";

export type WithChangedAgent = { readonly agentId: string; readonly result: LoadResult };

/** The configuration of a home as it would be if `path` were the file of the agent whose id it has. Nothing is written.
 *  @throws AgentError file.not_found, config.invalid: it names no agent */
export function loadWithAgent(home: string, env: Environment, path: string): WithChangedAgent {
  const file = resolve(path);
  const read = readGuarded(file, { maxBytes: yamlLimits.bytes, problem: configProblem });
  if (!read.ok) throw new AgentError("file.not_found", `${file}: ${read.reason.message}`);
  const yaml = readYaml(file, read.text);
  const tree = yaml.ok ? yaml.tree : yaml.remains;
  const agentId = tree === null ? null : textAt({ file, tree, isWhole: yaml.ok }, ["id"]);
  if (agentId === null) {
    throw new AgentError("config.invalid", `${file} is no agent's file: it has no id.`, {
      hint: "take a copy of one of config/agents.d and change it",
    });
  }
  const place = placeOf(resolve(home), agentId);
  const result = loadConfig(home, env, new Map([[place, read.text]]));
  return { agentId, result: result.ok ? result : namedBy(file, place, result.faults) };
}

function placeOf(home: string, agentId: string): string {
  const { agents } = collectSources(home, new HomeFiles()).sources;
  const present = agents.find((source) => textAt(source, ["id"]) === agentId);
  return present?.file ?? join(home, "config", "agents.d", `${agentId}.yaml`);
}

/** Faults are told where the person who changed the file will look for them. */
function namedBy(
  file: string,
  place: string,
  faults: Extract<LoadResult, { ok: false }>["faults"],
): LoadResult {
  const named = faults.map((fault) => (fault.file === place ? { ...fault, file } : fault));
  return { ok: false, faults: named };
}

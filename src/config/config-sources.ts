import { join } from "node:path";
import type { ConfigFault } from "./config-fault.ts";
import { faultIn } from "./config-fault.ts";
import { configProblem, listGuarded, readGuarded } from "./guarded-file.ts";
import { nearest } from "./nearest.ts";
import type { ConfigSource } from "./shape-faults.ts";
import { yamlLimits } from "./yaml-guard.ts";
import { readYaml } from "./yaml-tree.ts";

/** Finds and reads the YAML files of a home. A YAML file that nothing would read is a fault, not a silence. */

export type ConfigSources = {
  readonly main: ConfigSource | null;
  readonly agents: readonly ConfigSource[];
  readonly providers: readonly ConfigSource[];
  /** False when a file of that folder could not be read, so that what it declares is not known. */
  readonly isComplete: { readonly agents: boolean; readonly providers: boolean };
};

export type Collected = {
  readonly sources: ConfigSources;
  readonly faults: readonly ConfigFault[];
};

const mainName = "main.yaml";
const folderNames = ["agents.d", "providers.d"];

export function collectSources(home: string): Collected {
  const faults: ConfigFault[] = [];
  const config = join(home, "config");
  entriesOf(home, faults);
  const top = entriesOf(config, faults);
  const agents = readFolder(join(config, "agents.d"), faults);
  const providers = readFolder(join(config, "providers.d"), faults);
  const isSetUp = top.length > 0;
  if (!isSetUp) faults.push(faultIn(config, "there is no configuration; run statehive init"));
  faults.push(...strayFiles(config, top));
  const main = top.includes(mainName) ? readSource(join(config, mainName), faults) : null;
  return {
    faults,
    sources: {
      main,
      agents: agents.read,
      providers: providers.read,
      isComplete: {
        agents: agents.isComplete && isSetUp,
        providers: providers.isComplete && isSetUp,
      },
    },
  };
}

type Folder = { readonly read: readonly ConfigSource[]; readonly isComplete: boolean };

function readFolder(folder: string, faults: ConfigFault[]): Folder {
  const entries = entriesOf(folder, faults);
  const names = entries.filter((name) => name.endsWith(".yaml"));
  for (const name of entries.filter((entry) => entry.endsWith(".yml"))) {
    faults.push(faultIn(join(folder, name), "the name must end in .yaml to be read"));
  }
  const read = names.map((name) => readSource(join(folder, name), faults));
  const sources = read.filter((source) => source !== null);
  return { read: sources, isComplete: sources.length === read.length };
}

function readSource(file: string, faults: ConfigFault[]): ConfigSource | null {
  const content = readGuarded(file, { maxBytes: yamlLimits.bytes, problem: configProblem });
  if (!content.ok) {
    faults.push(faultIn(file, content.reason.message));
    return null;
  }
  const yaml = readYaml(file, content.text);
  if (yaml.ok) return { file, tree: yaml.tree };
  faults.push(...yaml.faults);
  return null;
}

function strayFiles(config: string, names: readonly string[]): ConfigFault[] {
  return names
    .filter((name) => /\.ya?ml$/.test(name) && name !== mainName)
    .map((name) =>
      faultIn(join(config, name), "this version reads no such file", {
        expected: `${mainName} here, other files in ${folderNames.join(" and ")}`,
        nearest: nearest(name, [mainName]),
      }),
    );
}

/** Hidden files are editors' business. */
function entriesOf(folder: string, faults: ConfigFault[]): string[] {
  const { names, problem } = listGuarded(folder);
  if (problem !== null) faults.push(faultIn(folder, problem));
  return names.filter((name) => !name.startsWith("."));
}

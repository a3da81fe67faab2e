import { join } from "node:path";
import type { ConfigFault } from "./config-fault.ts";
import { faultIn } from "./config-fault.ts";
import { configProblem } from "./guarded-file.ts";
import type { HomeFiles } from "./home-files.ts";
import { nearest } from "./nearest.ts";
import type { ConfigSource } from "./shape-faults.ts";
import { yamlLimits } from "./yaml-guard.ts";
import { readYaml } from "./yaml-tree.ts";

/** Finds and reads the YAML files of a home. A YAML file that nothing would read is a fault, not a silence. */

export type ConfigSources = {
  readonly main: ConfigSource | null;
  readonly routing: ConfigSource | null;
  readonly schedules: ConfigSource | null;
  readonly agents: readonly ConfigSource[];
  readonly providers: readonly ConfigSource[];
  /** False when a part of those files could not be read, so that what it declares is not known. */
  readonly isComplete: {
    readonly main: boolean;
    readonly agents: boolean;
    readonly providers: boolean;
  };
};

export type Collected = {
  readonly sources: ConfigSources;
  readonly faults: readonly ConfigFault[];
};

const fileNames = ["main.yaml", "routing.yaml", "schedules.yaml"] as const;
const folderNames = ["agents.d", "providers.d"];

export function collectSources(home: string, files: HomeFiles): Collected {
  const reading: Reading = { files, faults: [] };
  const { faults } = reading;
  const config = join(home, "config");
  entriesOf(home, reading);
  const top = entriesOf(config, reading);
  const agents = readFolder(join(config, "agents.d"), reading);
  const providers = readFolder(join(config, "providers.d"), reading);
  const isSetUp = top.length > 0;
  if (!isSetUp) faults.push(faultIn(config, "there is no configuration; run statehive init"));
  faults.push(...strayFiles(config, top));
  const [main, routing, schedules] = fileNames.map((name) =>
    top.includes(name) ? readSource(join(config, name), reading) : noSource,
  ) as [Read, Read, Read];
  return {
    faults,
    sources: {
      main: main.source,
      routing: routing.source,
      schedules: schedules.source,
      agents: agents.sources,
      providers: providers.sources,
      isComplete: {
        main: main.isWhole,
        agents: agents.isWhole && isSetUp,
        providers: providers.isWhole && isSetUp,
      },
    },
  };
}

/** The files that were read, in the order of their kinds. */
export function filesOf({ main, routing, schedules, providers, agents }: ConfigSources): string[] {
  return [main, routing, schedules, ...providers, ...agents]
    .filter((source) => source !== null)
    .map(({ file }) => file);
}

type Reading = { readonly files: HomeFiles; readonly faults: ConfigFault[] };
type Read = { readonly source: ConfigSource | null; readonly isWhole: boolean };
type Folder = { readonly sources: readonly ConfigSource[]; readonly isWhole: boolean };

const noSource: Read = { source: null, isWhole: true };

function readFolder(folder: string, reading: Reading): Folder {
  const entries = entriesOf(folder, reading);
  const names = entries.filter((name) => name.endsWith(".yaml"));
  for (const name of entries.filter((entry) => entry.endsWith(".yml"))) {
    reading.faults.push(faultIn(join(folder, name), "the name must end in .yaml to be read"));
  }
  const read = names.map((name) => readSource(join(folder, name), reading));
  return {
    sources: read.map(({ source }) => source).filter((source) => source !== null),
    isWhole: read.every(({ isWhole }) => isWhole),
  };
}

function readSource(file: string, { files, faults }: Reading): Read {
  const content = files.read(file, { maxBytes: yamlLimits.bytes, problem: configProblem });
  if (!content.ok) {
    faults.push(faultIn(file, content.reason.message));
    return { source: null, isWhole: false };
  }
  const yaml = readYaml(file, content.text);
  if (yaml.ok) return { source: { file, tree: yaml.tree, isWhole: true }, isWhole: true };
  faults.push(...yaml.faults);
  const source = yaml.remains === null ? null : { file, tree: yaml.remains, isWhole: false };
  return { source, isWhole: false };
}

function strayFiles(config: string, names: readonly string[]): ConfigFault[] {
  return names
    .filter((name) => /\.ya?ml$/.test(name) && !fileNames.some((known) => known === name))
    .map((name) =>
      faultIn(join(config, name), "this version reads no such file", {
        expected: `${fileNames.join(", ")} here, other files in ${folderNames.join(" and ")}`,
        nearest: nearest(name, fileNames),
      }),
    );
}

/** Hidden files are editors' business. */
function entriesOf(folder: string, { files, faults }: Reading): string[] {
  const { names, problem } = files.list(folder);
  if (problem !== null) faults.push(faultIn(folder, problem));
  return names.filter((name) => !name.startsWith("."));
}

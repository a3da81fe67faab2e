import { join, normalize, resolve } from "node:path";
import { AgentError } from "../schema/errors.ts";
import type { ConfigFault } from "./config-fault.ts";
import type { YamlEdit } from "./edit-yaml.ts";
import { editYaml } from "./edit-yaml.ts";
import type { Environment } from "./environment.ts";
import { configProblem, readGuarded } from "./guarded-file.ts";
import type { LoadedConfig } from "./load-config.ts";
import { loadConfig } from "./load-config.ts";
import type { HomeChange } from "./write-changes.ts";
import { writeChanges } from "./write-changes.ts";
import { yamlLimits } from "./yaml-guard.ts";

/** Changes files of a home, all or none, and only to a configuration that is valid as a whole. */

export type ChangeResult =
  | LoadedConfig
  | { readonly ok: false; readonly faults: readonly ConfigFault[] };

export type Place = { readonly home: string; readonly env: Environment };

/** Judges the configuration with the changes first; with faults, nothing is written.
 *  @throws AgentError `config.changed` when a file is no longer as `before` says, `file.outside`, `home.invalid` */
export function changeConfig({ home, env }: Place, changes: readonly HomeChange[]): ChangeResult {
  const stray = changes.find(({ path }) => !/^(?:config|prompts)\//.test(normalize(path)));
  if (stray !== undefined)
    throw new AgentError("file.outside", `${stray.path} is no file of the configuration`);
  const drafts = new Map(changes.map(({ path, text }) => [resolve(home, path), text]));
  const loaded = loadConfig(home, env, drafts);
  if (loaded.ok) writeChanges(resolve(home), changes);
  return loaded;
}

/** Sets or removes settings of one file that is there.
 *  @throws AgentError as `changeConfig` */
export function editConfigFile(
  place: Place,
  path: string,
  edits: readonly YamlEdit[],
): ChangeResult {
  const file = join(resolve(place.home), path);
  const now = readGuarded(file, { maxBytes: yamlLimits.bytes, problem: configProblem });
  if (!now.ok) throw new AgentError("home.invalid", `${file}: ${now.reason.message}`);
  const edited = editYaml(file, now.text, edits);
  if (!edited.ok) return edited;
  return changeConfig(place, [{ path, text: edited.text, before: now.text }]);
}

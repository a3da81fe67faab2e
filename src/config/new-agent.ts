import { join, relative, resolve } from "node:path";
import { promptParts } from "../schema/config/config.ts";
import { AgentError } from "../schema/errors.ts";
import { noSuchAgent } from "./configured-agent.ts";
import type { ConfigSources } from "./config-sources.ts";
import { collectSources } from "./config-sources.ts";
import { editYaml, type YamlEdit } from "./edit-yaml.ts";
import { configProblem, readGuarded } from "./guarded-file.ts";
import { HomeFiles } from "./home-files.ts";
import { packageRoot } from "./home.ts";
import { idsOf, textAt } from "./source-values.ts";
import type { HomeChange } from "./write-changes.ts";

/** The files of an agent that is to be added, made from another agent's or from the shipped ones. */

export type NewAgent = {
  readonly id: string;
  readonly name: string | undefined;
  readonly model: string | undefined;
  /** Absolute; undefined: one of its own in the home. */
  readonly workspace: string | undefined;
  /** An agent of this home; undefined: the one that ships. */
  readonly from: string | undefined;
};

const largestBytes = 131_072;

/** All of them are new: none replaces a file.
 *  @throws AgentError agent.exists, agent.not_found, home.invalid */
export function filesOfNewAgent(home: string, wanted: NewAgent): readonly HomeChange[] {
  const { id } = wanted;
  const { sources } = collectSources(resolve(home), new HomeFiles());
  if (idsOf(sources.agents).includes(id))
    throw new AgentError("agent.exists", `There is an agent ${JSON.stringify(id)} already.`, {
      hint: "take another id, or edit the file of that one",
    });
  const model = modelFor(home, sources, wanted);
  const prompts = promptParts.flatMap((part) => {
    const text = textOf(join(model.prompts, `${part}.md`));
    return text === null ? [] : [newFile(`prompts/${id}/${part}.md`, text)];
  });
  return [newFile(`config/agents.d/${id}.yaml`, describedAs(wanted, model.yaml)), ...prompts];
}

/** Where the file of an agent is, relative to the home.
 *  @throws AgentError agent.not_found */
export function fileOfAgent(home: string, id: string): string {
  const { sources } = collectSources(resolve(home), new HomeFiles());
  return relative(resolve(home), sourceOf(sources, id));
}

function newFile(path: string, text: string): HomeChange {
  return { path, text, before: null };
}

type Model = { readonly yaml: string; readonly prompts: string };

function modelFor(home: string, sources: ConfigSources, { from }: NewAgent): Model {
  const shipped = join(packageRoot(), "config/agents.d/main.yaml");
  return from === undefined
    ? { yaml: shipped, prompts: join(packageRoot(), "prompts/main") }
    : { yaml: sourceOf(sources, from), prompts: join(resolve(home), "prompts", from) };
}

function sourceOf({ agents }: ConfigSources, id: string): string {
  const source = agents.find((one) => textAt(one, ["id"]) === id);
  if (source !== undefined) return source.file;
  throw noSuchAgent(id, idsOf(agents));
}

/** Who it is and where it works; the rest stays as in the model. */
function describedAs({ id, name, model, workspace }: NewAgent, file: string): string {
  const edits: YamlEdit[] = [
    { path: ["id"], value: id },
    { path: ["enabled"], value: true },
    { path: ["identity", "name"], value: name ?? id },
    { path: ["identity", "emoji"], value: null },
    { path: ["identity", "public_label"], value: name ?? id },
    { path: ["workspace"], value: workspace ?? null },
    ...(model === undefined ? [] : [{ path: ["model_policy", "primary"], value: model }]),
  ];
  const edited = editYaml(file, textOf(file) ?? "", edits);
  if (edited.ok) return edited.text;
  throw new AgentError("config.invalid", `${file}: ${edited.faults[0]?.message ?? ""}`);
}

/** Null where there is no such file. */
function textOf(path: string): string | null {
  const read = readGuarded(path, { maxBytes: largestBytes, problem: configProblem });
  if (read.ok) return read.text;
  if (read.reason.kind === "absent") return null;
  throw new AgentError("home.invalid", `${path}: ${read.reason.message}`);
}

import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import type { AgentPrompts, PromptPart } from "../schema/config/config.ts";
import { promptParts } from "../schema/config/config.ts";
import { configId } from "../schema/config/config-forms.ts";
import type { ConfigFault } from "./config-fault.ts";
import { faultIn } from "./config-fault.ts";
import { configProblem } from "./guarded-file.ts";
import type { HomeFiles } from "./home-files.ts";
import type { ConfigSource } from "./shape-faults.ts";
import { listAt, textAt } from "./source-values.ts";

/** What belongs to an agent outside its YAML file: the texts of its prompts and its workspace. */

const largestPromptBytes = 131_072;
const requiredPart: PromptPart = "system";

export type PromptsRead = {
  readonly prompts: AgentPrompts;
  readonly faults: readonly ConfigFault[];
};

/** `system.md` must be there; style and safety may be missing. No path is made of an id that is none. */
export function readPrompts(home: string, agent: ConfigSource, files: HomeFiles): PromptsRead {
  const faults: ConfigFault[] = [];
  const prompts: Record<PromptPart, string> = { system: "", style: "", safety: "" };
  const id = textAt(agent, ["id"]);
  if (id === null || !configId.safeParse(id).success) return { prompts, faults };
  const folder = join(home, "prompts", id);
  for (const directory of [dirname(folder), folder]) {
    const { problem } = files.list(directory);
    if (problem !== null) faults.push(faultIn(directory, problem));
  }
  for (const part of promptParts) {
    const file = join(folder, `${part}.md`);
    const content = files.read(file, { maxBytes: largestPromptBytes, problem: configProblem });
    if (content.ok) prompts[part] = content.text.trim();
    else if (content.reason.kind === "refused") faults.push(faultIn(file, content.reason.message));
    else if (part === requiredPart) faults.push(missingPrompt(agent, file));
  }
  return { prompts, faults };
}

/** Absolute; a relative path starts at the home. */
export function workspaceOf(home: string, id: string, configured: string | null): string {
  return resolve(home, configured ?? join("workspace", id));
}

/** A directory that somebody names must be there; the agent's own one in the home is made at the start. */
export function workspaceFaults(home: string, agent: ConfigSource): ConfigFault[] {
  const exposing = exposureFaults(home, agent);
  return exposing.length > 0 ? exposing : absentWorkspaceFaults(home, agent);
}

function absentWorkspaceFaults(home: string, agent: ConfigSource): ConfigFault[] {
  const path = ["workspace"];
  const configured = textAt(agent, path);
  const id = textAt(agent, ["id"]);
  if (configured === null || id === null) return [];
  const workspace = workspaceOf(home, id, configured);
  if (workspace === workspaceOf(home, id, null)) return [];
  if (existsSync(workspace) && statSync(workspace).isDirectory()) return [];
  return [
    faultIn(agent.file, `${workspace} is no directory`, {
      place: agent.tree.valuePlace(path),
      path,
      expected:
        "one that is there: an absolute path, or one that starts at the home; ~ is not replaced",
    }),
  ];
}

/** A workspace that holds the home, or lies in what steers the service, would let the agent rewrite its own rules; one in what is
 *  remembered, read what others said, and plant what looks as if a person had written it. */
function exposureFaults(home: string, agent: ConfigSource): ConfigFault[] {
  const roots = listAt(agent, ["roots"]).map((_, index) => ["roots", index]);
  return [["workspace"], ...roots].flatMap((path) => {
    const configured = textAt(agent, path);
    if (configured === null || !isExposing(home, workspaceOf(home, "", configured))) return [];
    return [
      faultIn(agent.file, "this directory would give the agent statehive's own files", {
        place: agent.tree.valuePlace(path),
        path,
        expected: "a directory apart from the home, or one in its workspace/",
      }),
    ];
  });
}

function isExposing(home: string, directory: string): boolean {
  const real = realPath(directory);
  const kept = ["config", "prompts", "data", "run", "logs", "memory", "sessions"].map((folder) =>
    realPath(join(home, folder)),
  );
  return isWithin(realPath(home), real) || kept.some((folder) => isWithin(real, folder));
}

function missingPrompt(agent: ConfigSource, file: string): ConfigFault {
  const place = agent.tree.valuePlace(["id"]);
  return faultIn(agent.file, `the agent has no prompt: ${file} is missing`, {
    place,
    path: ["id"],
  });
}

/** The path with the links in its existing part followed. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), path.slice(parent.length));
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);
}

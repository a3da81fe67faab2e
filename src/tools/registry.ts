import { AgentError } from "../schema/errors.ts";
import type { ToolDef } from "../schema/llm.ts";
import type { Tool } from "./tool.ts";

/** The tools of a service, found by their exact names. */
export type ToolRegistry = {
  get(name: string): Tool | undefined;
  readonly all: readonly Tool[];
  /** What a model is told about those of `names` that are registered, in that order and each once. */
  offered(names: readonly string[]): readonly ToolDef[];
};

/** What every provider accepts as a name. */
const toolName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Throws `config.invalid` for a name that is taken or that providers refuse. */
export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (!toolName.test(tool.name)) {
      throw new AgentError(
        "config.invalid",
        `${tool.name} is no tool name: a letter, then letters, digits, _ or -.`,
      );
    }
    if (byName.has(tool.name))
      throw new AgentError("config.invalid", `Two tools are called ${tool.name}.`);
    byName.set(tool.name, tool);
  }
  return {
    get: (name) => byName.get(name),
    all: [...tools],
    offered: (names) =>
      [...new Set(names)]
        .map((name) => byName.get(name))
        .filter((tool) => tool !== undefined)
        .map(({ name, description, parameters }) => ({ name, description, parameters })),
  };
}

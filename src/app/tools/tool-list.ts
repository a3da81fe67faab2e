import type { AgentConfig } from "../../schema/config/config.ts";
import type { JsonObject } from "../../schema/json.ts";
import type { RiskClass } from "../../schema/tool.ts";
import { builtInTools } from "../../tools/built-in.ts";
import type { Tool } from "../../tools/tool.ts";

/** What tools there are, without a service. */

export type ListedTool = Pick<Tool, "name" | "recovery" | "description" | "parameters"> & {
  /** As the agent has it, or the tool's own. */
  readonly risk: RiskClass;
  /** What a call needs, with the names of its parameters for their values: `fs.write:PATH`. */
  readonly capabilities: readonly string[];
};

/** @param agent its tools alone, in its order, with its risk classes; without one every tool */
export function listTools(agent?: Pick<AgentConfig, "tools">): readonly ListedTool[] {
  if (agent === undefined) return builtInTools.map((tool) => listed(tool, tool.risk));
  const { allow, risk } = agent.tools;
  return [...new Set(allow)].flatMap((name) => {
    const tool = builtInTools.find((each) => each.name === name);
    return tool === undefined ? [] : [listed(tool, risk[name] ?? tool.risk)];
  });
}

function listed(tool: Tool, risk: RiskClass): ListedTool {
  const { name, recovery, description, parameters } = tool;
  return { name, risk, recovery, capabilities: capabilityForms(tool), description, parameters };
}

function capabilityForms(tool: Tool): readonly string[] {
  const { properties = {}, required = [] } = tool.parameters as {
    readonly properties?: { readonly [name: string]: JsonObject };
    readonly required?: readonly string[];
  };
  const texts = Object.keys(properties).filter((name) => properties[name]?.["type"] === "string");
  const requiredTexts = texts.filter((name) => required.includes(name));
  for (const names of [texts, requiredTexts]) {
    const named = tool.validate(
      Object.fromEntries(names.map((name) => [name, name.toUpperCase()])),
    );
    if (named.ok) return [...tool.capabilities(named.input)];
  }
  const addressed = tool.validate(
    Object.fromEntries(requiredTexts.map((name) => [name, someAddress])),
  );
  return addressed.ok ? tool.capabilities(addressed.input).map(withResourceInCapitals) : [];
}

/** For a tool that takes addresses alone, which are known by their host. */
const someAddress = "https://host/";

function withResourceInCapitals(capability: string): string {
  const colon = capability.indexOf(":");
  return capability.slice(0, colon) + capability.slice(colon).toUpperCase();
}

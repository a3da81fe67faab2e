import type { Results } from "../../schema/socket/protocol.ts";
import type { ShownAgentDetails } from "../../schema/shown/shown.ts";
import { shown, shownLines } from "../../text/shown.ts";
import { budgetText } from "../../text/amounts.ts";
import { facts } from "./table.ts";

/** @param yaml writes a value as YAML */
export function agentText(agent: Results["agents.show"], yaml: (value: unknown) => string): string {
  const { id, label, state, is_default, model, model_fault, prompts, bindings, config } = agent;
  const rows: [string, string][] = [
    ["label", shown(label)],
    ["state", state],
    ["model now", model === null ? `none: ${shown(model_fault)}` : shown(model)],
    ["prompts", shown(prompts.join(", "))],
    [
      "led here",
      shown(
        [...(is_default ? ["all that no binding takes"] : []), ...bindings.map(bindingText)].join(
          "; ",
        ),
      ),
    ],
    ...(agent.budgets ?? []).map((budget): [string, string] => [
      "budget today",
      budgetText(budget),
    ]),
    ["config hash", agent.config_hash.slice(0, 12)],
  ];
  const { prompts: _prompts, ...settings } = config;
  return [`agent ${shown(id)}`, facts(rows), "", shownLines(yaml(settings).trimEnd())].join("\n");
}

function bindingText({ match }: ShownAgentDetails["bindings"][number]): string {
  const named = Object.entries(match as object).filter(([, value]) => value !== null);
  return named.length === 0
    ? "every message"
    : named.map(([key, value]) => `${key} ${String(value)}`).join(" and ");
}

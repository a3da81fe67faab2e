import type { Explanation } from "../../app/tools/policy-dry-run.ts";
import { AgentError } from "../../schema/errors.ts";
import { defineCommand, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { checkedConfig } from "../lifecycle/checked-config.ts";
import { shown } from "../../text/shown.ts";
import { policyReplay } from "./policy-replay.ts";

const explain = defineCommand<[string, string, string]>({
  usage: "explain <agent> <tool> <input>",
  summary: "what the policy would say of a call, without making it; the input is JSON",
  example: `policy explain main file_write '{"path":"notes/a.md","content":"x"}'`,
  offline: "same",
  exits: [exitCodes.notFound, exitCodes.configInvalid],
  async work(context, [agentId, tool, json]) {
    const { config } = await checkedConfig(context);
    const { agentIn } = await import("../../config/configured-agent.ts");
    const agent = agentIn(config, agentId);
    const { explainCall } = await import("../../app/tools/policy-dry-run.ts");
    const { viewCommands } = await import("../../app/tools/view-commands.ts");
    const lookAround = async () => ({ sandbox: await viewCommands(agent, config) });
    const data = await explainCall(agent, { tool, input: jsonOf(json) }, lookAround);
    return { data, text: told(data) };
  },
});

const words = {
  run: "It runs unasked.",
  ask: "A person is asked.",
  deny: "It is denied.",
} as const;

function told(explained: Explanation): string {
  const { verdict, risk, reason, capabilities, question } = explained;
  const isPut = verdict === "run" && question !== null;
  const lines = [
    isPut ? `It puts its question to a person: ${shown(question)}` : words[verdict],
    `  because   ${shown(reason)}`,
    `  class     ${risk}`,
    `  needs     ${capabilities.length === 0 ? "nothing" : capabilities.map(shown).join(", ")}`,
  ];
  if (verdict === "ask") lines.push(`  may allow ${beyond(explained)}`);
  return lines.join("\n");
}

function beyond({ grantable, proposed_grants, terms }: Explanation): string {
  if (!grantable) return "this call alone";
  const grants = shown(proposed_grants.join(", "));
  return terms === "" ? grants : `${grants}: ${shown(terms)}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AgentError("usage", `The input is no JSON: ${shown(text.slice(0, 100))}`, {
      hint: `write it in quotes: '{"path":"a.txt"}'`,
    });
  }
}

export const policy: Group = {
  usage: "policy",
  summary: "what agents may do, tried without doing it: explain, replay",
  example: 'policy explain main shell_exec \'{"command":"git status"}\'',
  children: [explain, policyReplay],
};

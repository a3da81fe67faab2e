import { Option } from "commander";
import { isToolToCome } from "../../schema/config/config-tools.ts";
import { defineCommand, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { configuredAgent } from "../lifecycle/configured-agent.ts";
import { table } from "../output/table.ts";

const list = defineCommand<[], { agent?: string }>({
  usage: "list",
  summary: "what an agent's model can be offered, how it is judged and what it needs",
  example: "tools list --agent main",
  offline: "same",
  exits: [exitCodes.notFound, exitCodes.configInvalid],
  options: [new Option("-a, --agent <id>", "only this agent's, with its risk classes")],
  async work(context, _args, { agent }) {
    const { listTools } = await import("../../app/tools/tool-list.ts");
    const configured = agent === undefined ? undefined : await configuredAgent(context, agent);
    const rows = listTools(configured);
    const shown = table(
      rows,
      [
        { title: "TOOL", cell: ({ name }) => name },
        { title: "RISK", cell: ({ risk }) => risk },
        { title: "AFTER A CRASH", cell: ({ recovery }) => recovery },
        { title: "NEEDS", cell: ({ capabilities }) => capabilities.join(" ") },
        { title: "DOES", cell: ({ description }) => description.split("\n", 1)[0] },
      ],
      { empty: "This agent has no tools.", width: context.width },
    );
    const missing = configured?.tools.allow.filter(isToolToCome) ?? [];
    if (missing.length === 0) return { data: rows, text: shown };
    const note = `It is also allowed what this version does not have yet: ${missing.join(", ")}.`;
    return { data: rows, text: `${shown}\n${note}` };
  },
});

export const tools: Group = {
  usage: "tools",
  summary: "what agents can do: list",
  example: "tools list",
  children: [list],
};

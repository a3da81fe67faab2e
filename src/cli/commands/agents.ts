import { resolve } from "node:path";
import { Option } from "commander";
import { configInvalid } from "../../config/config-invalid.ts";
import { configId } from "../../schema/config/config-forms.ts";
import { AgentError } from "../../schema/errors.ts";
import type { ShownAgent } from "../../schema/shown/shown.ts";
import { defineCommand, type Group } from "../command.ts";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { configuredAgents } from "../lifecycle/configured-agents.ts";
import { reloadService } from "../lifecycle/reload-service.ts";
import { checkedConfig, homeToRead } from "../lifecycle/checked-config.ts";
import { agentText } from "../output/agent-text.ts";
import { shown } from "../../text/shown.ts";
import { table } from "../output/table.ts";

const list = defineCommand({
  usage: "list",
  summary: "the agents: who is enabled, which model would answer now",
  example: "agents list",
  offline: "same",
  exits: [exitCodes.configInvalid],
  async work(context) {
    const rows = (await configuredAgents(context)).list;
    const text = table(
      rows,
      [
        { title: "ID", cell: ({ id, is_default }) => (is_default ? `${id} (default)` : id) },
        { title: "LABEL", cell: labelOf },
        { title: "STATE", cell: ({ state }) => state },
        { title: "MODEL", cell: ({ model, model_fault }) => model ?? `none: ${model_fault}` },
        { title: "TOOLS", cell: ({ tools }) => tools.length },
      ],
      { empty: "No agents.", width: context.width },
    );
    return { data: rows, text };
  },
});

function labelOf({ emoji, label }: ShownAgent): string {
  return emoji === null ? label : `${emoji} ${label}`;
}

const show = defineCommand<[id: string]>({
  usage: "show <id>",
  summary: "one agent: its configuration with every default, its prompts, who is led to it",
  example: "agents show main",
  offline: "same",
  exits: [exitCodes.notFound, exitCodes.configInvalid],
  async work(context, [id]) {
    const { stringify } = await import("yaml");
    const data = await (await configuredAgents(context)).show(id);
    return { data, text: agentText(data, stringify) };
  },
});

type AddOptions = {
  readonly name?: string;
  readonly model?: string;
  readonly workspace?: string;
  readonly from?: string;
};

const add = defineCommand<[id: string], AddOptions>({
  usage: "add <id>",
  summary: "write the files of a new agent; none that is there is replaced",
  example: "agents add notes --name Notes --workspace ~/notes",
  offline: "same",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain, exitCodes.configInvalid],
  options: [
    new Option("--name <text>", "what people call it (default: its id)"),
    new Option("--model <model>", "provider/model, or auto"),
    new Option("--workspace <dir>", "the folder it works in (default: one of its own in the home)"),
    new Option(
      "--from <agent>",
      "take everything else from this agent (default: the one that ships)",
    ),
  ],
  async work(context, [id], { name, model, workspace, from }) {
    if (!configId.safeParse(id).success) throw badId(id);
    const home = homeToRead(context);
    const { filesOfNewAgent } = await import("../../config/new-agent.ts");
    const { workspaceOf } = await import("../../config/agent-files.ts");
    const { changeConfig } = await import("../../config/change-config.ts");
    const folder = workspace === undefined ? undefined : resolve(workspace);
    const files = filesOfNewAgent(home, { id, name, model, workspace: folder, from });
    const changed = changeConfig(placeOf(context), files);
    if (!changed.ok) throw configInvalid(changed.faults);
    const reloaded = await reloadService(context);
    const written = files.map(({ path }) => path);
    const place = workspaceOf(home, id, folder ?? null);
    return {
      data: { id, workspace: place, written, reloaded },
      text: [
        `The agent ${shown(id)} is there${reloaded ? ", and the service knows it" : ""}:`,
        ...written.map((path) => `  ${shown(path)}`),
        `It works in ${shown(place)}.`,
        `\`statehive chat -a ${id}\` talks to it.`,
      ].join("\n"),
    };
  },
});

const enable = switching("enable", true, "let an agent take messages again");
const disable = switching(
  "disable",
  false,
  "let an agent take no more messages; its open runs may do nothing more",
);

export const agents: Group = {
  usage: "agents",
  summary: "the agents: list, show, add, enable, disable",
  example: "agents list",
  children: [list, show, add, enable, disable],
};

function switching(verb: "enable" | "disable", enabled: boolean, summary: string) {
  return defineCommand<[id: string]>({
    usage: `${verb} <id>`,
    summary,
    example: `agents ${verb} ops`,
    offline: "same",
    exits: [exitCodes.notFound, exitCodes.tryAgain, exitCodes.configInvalid],
    async work(context, [id]) {
      const { config } = await checkedConfig(context);
      const { fileOfAgent } = await import("../../config/new-agent.ts");
      const { editConfigFile } = await import("../../config/change-config.ts");
      const file = fileOfAgent(config.home, id);
      const edits = [{ path: ["enabled"], value: enabled }];
      const changed = editConfigFile(placeOf(context), file, edits);
      if (!changed.ok) throw configInvalid(changed.faults);
      const reloaded = await reloadService(context);
      return {
        data: { id, state: `${verb}d`, file, reloaded },
        text: `The agent ${shown(id)} is ${verb}d.`,
      };
    },
  });
}

function placeOf({ home, terminal }: CommandContext) {
  return { home, env: terminal.env };
}

function badId(id: string): AgentError {
  return new AgentError("usage", `${JSON.stringify(id)} can be no agent's id.`, {
    hint: "lower-case letters, digits, _ and -, at most 64, the first a letter or digit",
  });
}

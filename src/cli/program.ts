import { Argument, Command } from "commander";
import { addGlobalOptions } from "./global-options.ts";
import { actors } from "./commands/actors.ts";
import { agents } from "./commands/agents.ts";
import { approvals } from "./commands/approvals.ts";
import { audit } from "./commands/audit.ts";
import { backup } from "./commands/backup.ts";
import { chat } from "./commands/chat.ts";
import { completion } from "./commands/completion.ts";
import { config } from "./commands/config.ts";
import { connectors } from "./commands/connectors.ts";
import { schedule } from "./commands/schedule.ts";
import { deliveries } from "./commands/deliveries.ts";
import { doctor } from "./commands/doctor.ts";
import { events } from "./commands/events.ts";
import { grants } from "./commands/grants.ts";
import { marks } from "./commands/marks.ts";
import { init } from "./commands/init.ts";
import { inspect } from "./commands/inspect.ts";
import { logs } from "./commands/logs.ts";
import { machines } from "./commands/machines.ts";
import { memory } from "./commands/memory.ts";
import { pair } from "./commands/pair.ts";
import { policy } from "./commands/policy.ts";
import { providers } from "./commands/providers.ts";
import { restart } from "./commands/restart.ts";
import { restore } from "./commands/restore.ts";
import { runs } from "./commands/runs.ts";
import { serve } from "./commands/serve.ts";
import { service } from "./commands/service.ts";
import { sessions } from "./commands/sessions.ts";
import { start } from "./commands/start.ts";
import { status } from "./commands/status.ts";
import { stop } from "./commands/stop.ts";
import { task } from "./commands/task.ts";
import { tools } from "./commands/tools.ts";
import { tui } from "./commands/tui.ts";
import { usage } from "./commands/usage.ts";
import { version } from "./commands/version.ts";
import type { CommandNode, Leaf } from "./command.ts";

export type Perform = (leaf: Leaf, args: readonly unknown[], command: Command) => Promise<void>;

export type Section = { readonly heading: string; readonly nodes: readonly CommandNode[] };

export const sections: readonly Section[] = [
  {
    heading: "The service:",
    nodes: [init, start, stop, restart, status, doctor, serve, service, backup, restore],
  },
  {
    heading: "Talking and deciding:",
    nodes: [tui, chat, memory, approvals, grants, marks, pair, policy],
  },
  {
    heading: "What happens:",
    nodes: [
      sessions,
      task,
      runs,
      schedule,
      deliveries,
      actors,
      inspect,
      events,
      logs,
      usage,
      audit,
    ],
  },
  {
    heading: "About statehive:",
    nodes: [agents, config, connectors, providers, tools, machines, completion, version],
  },
];

const about = `A self-hosted agent service in which every session, run, tool call and approval is a durable actor.
Without a command: on a terminal, start the service if need be and show it on the whole screen; else serve in the foreground.`;

/** @param bare what runs without a command */
export function buildProgram(perform: Perform, bare: Leaf): Command {
  const program = new Command("statehive")
    .description(about)
    .enablePositionalOptions()
    .helpCommand(false);
  settle(program, bare);
  takesCommands(program);
  program.action((...given: unknown[]) => perform(bare, argumentsOf(given), program));
  for (const { heading, nodes } of sections) {
    program.commandsGroup(heading);
    for (const node of nodes) addNode(program, node, perform);
  }
  return program;
}

function addNode(parent: Command, node: CommandNode, perform: Perform): void {
  const command = new Command(node.usage.split(" ")[0])
    .summary(node.summary)
    .description(sentence(node.summary))
    .helpCommand(false);
  parent.addCommand(command);
  command.copyInheritedSettings(parent);
  if ("children" in node) {
    command.enablePositionalOptions();
    takesCommands(command);
    settle(command, node);
    for (const child of node.children) addNode(command, child, perform);
    return;
  }
  for (const [index, declared] of node.usage.split(" ").slice(1).entries()) {
    const argument = new Argument(declared);
    if (index === 0 && node.argumentChoices !== undefined) argument.choices(node.argumentChoices);
    command.addArgument(argument);
  }
  for (const option of node.options ?? []) command.addOption(option);
  settle(command, node);
  command.action((...given: unknown[]) => perform(node, argumentsOf(given), command));
}

function settle(command: Command, { example }: CommandNode): void {
  command
    .showSuggestionAfterError()
    .addHelpText("after", `\nExample:\n  $ statehive ${example}`)
    .configureHelp({ subcommandTerm });
  addGlobalOptions(command);
}

function subcommandTerm(command: Command): string {
  const names = command.registeredArguments.map((argument) => {
    const name = argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...names].join(" ");
}

function takesCommands(command: Command): void {
  command.usage("[options] <command>");
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

/** Commander hands over the arguments, then the options and the command itself. */
function argumentsOf(given: readonly unknown[]): readonly unknown[] {
  return given.slice(0, -2);
}

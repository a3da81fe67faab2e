import { Command, type Option } from "commander";
import { type CommandNode, exitsOf, type Leaf } from "../src/cli/command.ts";
import { addGlobalOptions } from "../src/cli/global-options.ts";
import { type Section, sections } from "../src/cli/program.ts";
import type { GeneratedFile } from "./generated-file.ts";

const head = `# The command line

Made from the definitions in src/cli by \`scripts/generate-cli-docs.ts\`; do not edit. \`npx vitest run test/cli/cli-page.test.ts -u\`
renews it.

\`statehive\` without a command starts the service if none runs and opens a conversation, on a terminal; elsewhere it serves in
the foreground.

## What holds for every command

- What was asked for goes to stdout, everything else to stderr. \`--json\` prints exactly one line,
  \`{"ok":true,"data":…}\` or \`{"ok":false,"error":{"code","message","hint"}}\`; [the codes](errors.md) are fixed, the words are not.
- \`chat -p --json\`, \`actors watch --json\`, \`events tail --json\`, \`logs -f --json\` and \`audit export\` print one event, record
  or row a line instead; only a failure is told as above. Where a reader of \`events tail\` was too slow, a line \`{"type":"lag","dropped":n}\` says so.
- Times in JSON are ISO 8601 in UTC.
- Nothing ever asks a question without a terminal. Colours only on a terminal, or with \`FORCE_COLOR\`; \`NO_COLOR\`, \`TERM=dumb\` and
  \`--no-color\` turn them off.
- What only looks works without a service, too: it reads the database file on a connection that cannot write, and says so on stderr.
- Text that comes from a model, a tool or a file is shown with its control characters as visible escapes.
- An option of every command may stand before or after the command's name. After \`--\` nothing is an option.

| exit code | means |
|---|---|
| 0 | done |
| 1 | failed |
| 2 | the command line is wrong |
| 3 | no service runs |
| 4 | the service does not answer, or is of another version |
| 5 | denied |
| 6 | not found |
| 70 | a fault inside statehive |
| 75 | not now; try again |
| 78 | the configuration or the home is invalid |
| 130 | interrupted |`;

const chatEvents = `## What \`chat -p --json\` prints

| event | when |
|---|---|
| \`run.started\` | the message has its turn: \`run_id\`, \`trace_id\`, \`session_id\` |
| \`message.joined\` | a message (\`message_trace_id\`) is answered by a run that it did not begin: \`run_id\`, \`trace_id\`, \`session_id\` are that run's |
| \`text.delta\` | the next piece of \`text\` |
| \`text.reset\` | the answer broke off and begins again: forget this round's text |
| \`model.retrying\` | the provider failed with \`code\`; tried again in \`wait_ms\` |
| \`tool.started\` | \`call_id\`, \`tool\`, \`input\` |
| \`tool.finished\` | \`call_id\`, \`tool\`, \`status\`, \`output\`, \`is_error\` |
| \`approval.opened\` | \`approval\`: what waits for a person, as \`approvals show --json\` has it |
| \`approval.decided\` | \`id\`, \`state\`, \`decided_by\` |
| \`run.finished\` | the last one: \`run_id\`, \`trace_id\`, \`session_id\`, \`status\` (done, failed, cancelled), \`reply\`, \`error\`, \`usage\` |

Without \`--json\` the answer's text streams to a terminal; in a pipe the reply is printed once, when it is whole. Without
\`--approve\` the command waits while \`statehive approvals allow\` or \`deny\` is said elsewhere. Ending the command never stops
the run.`;

export function cliDocument(): GeneratedFile {
  const parts = [head, globalSection(), ...sections.map(sectionText), chatEvents];
  return { path: "docs/cli.md", content: `${parts.join("\n\n")}\n` };
}

function globalSection(): string {
  const probe = new Command();
  addGlobalOptions(probe);
  return ["## Options of every command", "", ...optionLines(probe.options)].join("\n");
}

function sectionText({ heading, nodes }: Section): string {
  const title = heading.replace(/:$/, "");
  return [`## ${title}`, ...nodes.map((node) => nodeText(node, "statehive"))].join("\n\n");
}

function nodeText(node: CommandNode, parent: string): string {
  if ("children" in node) {
    return node.children.map((child) => nodeText(child, `${parent} ${node.usage}`)).join("\n\n");
  }
  return leafText(node, parent);
}

const withoutService = {
  file: "Without a service it reads the database file.",
  same: "It needs no service.",
  none: "Without a service it exits with 3.",
};

function leafText(leaf: Leaf, parent: string): string {
  const { usage, summary, example, options = [], offline = "none" } = leaf;
  const lines = [
    `### \`${parent} ${usage}\``,
    "",
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
  ];
  const table = options.length === 0 ? [] : ["", ...optionLines(options)];
  const ends = `${withoutService[offline]} Exit codes: ${exitsOf(leaf).join(", ")}.`;
  return [...lines, ...table, "", "```", `statehive ${example}`, "```", "", ends].join("\n");
}

function optionLines(options: readonly Option[]): string[] {
  const rows = options
    .filter(({ hidden }) => !hidden)
    .map((option) => `| \`${option.flags}\` | ${cell(meaning(option))} |`);
  return ["| option | means |", "|---|---|", ...rows];
}

function meaning({ description, argChoices, defaultValue }: Option): string {
  const choices = argChoices === undefined ? [] : [argChoices.join(" or ")];
  const standard =
    defaultValue === undefined || typeof defaultValue === "boolean"
      ? []
      : [`default ${String(defaultValue)}`];
  const more = [...choices, ...standard];
  return more.length === 0 ? description : `${description} (${more.join("; ")})`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

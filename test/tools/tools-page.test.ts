import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/schema/json.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import type { Tool } from "../../src/tools/tool.ts";

const introduction = `# Tools

What an agent's model is offered, in the very words that it reads. Which of them an agent has is in its \`tools.allow\`.
This page is made from the registry and checked by test/tools/tools-page.test.ts; \`npx vitest run test/tools -u\` renews it.

| risk class | what happens |
|---|---|
| safe | it runs |
| guarded | it runs if a grant covers all that it needs, else a person is asked |
| unsafe | a person is asked each time |

Before the class count, in this order: the agent's deny rules, its tool list, its boundary, that of the task, a person's no. *Recovery* says what happens when
the service dies while the tool runs: \`repeat\` runs it again, \`once\` asks a person what became of it.

## Capability patterns

\`boundary\`, \`grant\` and \`deny\` are lists of patterns; a pattern is \`kind:resource\`, or only a kind.

| pattern | covers |
|---|---|
| \`fs.write:notes/todo.md\` | this file; paths are relative to the workspace, \`.\` is the workspace itself |
| \`fs.write:notes/**\` | \`notes\` and everything below |
| \`fs.read:*.md\` | files in the workspace's root that end in \`.md\`; \`*\` stays within one segment |
| \`fs.read:**/.env\` | every \`.env\`, in the root too |
| \`fs.*:private/**\` | reading and writing below \`private\` |
| \`net.fetch:api.example.com\` | this host |
| \`net.fetch:*.example.com\` | the hosts below, not \`example.com\` itself |
| \`net.fetch:*\` | every host; so for every kind |
| \`memory.read:sessions\` | searching what was said in the agent's own conversations; \`memory.read:*\` covers it too |
| \`mcp.files.*\` | every tool of the MCP server \`files\` |
| \`shell.exec:git status\` | this program with this subcommand or script, whatever follows and whatever the script holds |
| \`shell.exec:ls\` | this program, when its first argument is no plain word |
| \`shell.exec:sh -c\` | everything that is not one simple command of plain words: pipes, variables, shells, wrappers like \`env\` |
| \`shell.exec:*\` | every command |

Nothing else is a wildcard. A path that leaves the workspace is covered by no pattern.

## What a person grants

An answer holds for the one call, or with a scope (\`approvals allow --scope\`, \`deny --scope\`; in a chat \`session\`, \`run\`, \`deny for the run\`) for
all calls like it of that tool: exactly what the call needs, in that session, until the step, run, task or session ends, or the time of
\`--until\` has come. Instead of a path, \`--grant fs.write:notes/**\` names its directory, never the whole workspace. A no is told to the agent with its
reason and goes before every grant. Where nothing narrow can be said of other calls, the answer holds once, and says so.
\`grants list\` shows what lives; \`grants revoke\` ends one for all that has not begun ([decision 0022](decisions/0022-whom-a-grant-ends-with.md)).

A task may have a boundary of its own (\`task run … --boundary\`), inside the agent's: what is outside of either is denied, and the reason says of which.

## Commands

shell_exec is unsafe: a person is asked each time. An agent may have \`tools.risk: { shell_exec: guarded }\`; then a command runs unasked
where a pattern of the agent's \`grant\` covers it, or where a person has allowed it for longer than one call. Shell text
(\`shell.exec:sh -c\`) is asked about whatever is granted. What a person is offered depends on how much is known of the command:

| command | what a person can allow for longer |
|---|---|
| \`python3 scripts/report.py 11\`, \`./build.sh --fast\` | this script with any further arguments, in this directory, while the script stays as it is |
| \`git status -s\`; also \`describe\`, \`ls-files\`, \`ls-tree\`, \`merge-base\`, \`rev-parse\`, \`show-ref\` | this subcommand with any further arguments, in this directory |
| \`npm test\`, \`make all\`; also pnpm and yarn | exactly these words in this directory, while package.json, .npmrc and their like, or the makefile, stay as they are |
| \`ls -l\`, \`cat notes.txt\`, \`git diff\`, \`rm a.txt\` | exactly these words in this directory |
| any other program: \`pytest tests/a.py\` | exactly these words in this directory, while the files that they name stay as they are |
| shell text; shells; wrappers such as \`env\`, \`timeout\`, \`xargs\`, \`find -exec\`; \`awk\`, \`sed\`, \`tar\`, editors and others to which an argument can be code; an interpreter with an option or without a script (\`python3 -c\`, \`node --require\`); options of git; an argument of an unknown program that holds a blank or a shell's sign, or names a shell, a wrapper or an interpreter | nothing: they are asked about each time |

When such a file has changed, the question comes back and says which. A file that is a link, or larger than 1 MiB, cannot be watched: then
nothing can be allowed beyond the call. Approvals of single calls are bound to the same files, and to program, words, directory and
sandbox: what changed between the answer and the start is not run, and the model is told. While a script runs in the sandbox, it
stands there as it was looked at and cannot be written to. Not watched is what a script loads by itself (modules, git's hooks and
configuration), and shell text can name files in ways that nobody can foresee
([decision 0021](decisions/0021-what-a-granted-command-covers.md)).

Commands run under [bubblewrap](https://github.com/containers/bubblewrap), which must be installed (Debian, Ubuntu:
\`apt install bubblewrap\`) and needs unprivileged user namespaces. Where it does not work, shell_exec is refused and says why,
unless \`shell.unconfined: ask\` in \`config/main.yaml\`: then each command is asked about, shown as UNCONFINED, and runs as your user with
everything in your reach; directory, environment, deadline and limits of one process are the same, and what it leaves behind is killed
as far as it can be found ([decision 0019](decisions/0019-commands-without-a-sandbox.md)). A program's name is looked up in the
system's directories before you are asked, and only that file is run. In the sandbox a command sees the workspace at \`/workspace\`, the system's programs in \`/usr\`, an empty
\`/tmp\` of 128 MiB and nothing else: no network, no other process, no file of the home, no environment. It may have 256 processes,
768 MiB of memory each and 2 GiB together, and files of 128 MiB. Deny rules for files bind the file tools, not what a command does in
the workspace; deny rules for programs bind simple commands, so deny \`shell.exec:sh -c\` too where they must hold.
Why it is so: [decision 0011](decisions/0011-shell-in-bubblewrap.md).

## Foreign text

What a web page says may make a model do what you do not want. So a session remembers where its text came from: what was read of yours
(\`file:notes.md\`, \`tool:shell_exec\`, \`session:earlier\`) and what others wrote (\`web:example.com\`). It is tainted, as its row and its run's
say, as soon as it holds any of the latter.

- A session that holds both is asked about every call by which something could leave: web_fetch, a command that no sandbox holds,
  whatever is not known to stay with the agent. The question names both. The agent's \`grant\` list does not count then, and what
  you allowed for longer counts only if you allowed it in sight of all the text that is there now; so you are asked again when
  text of one more host has come in.
- An address of more than 200 characters, or with a code of 32 letters and digits in it, is asked about each time once the session is tainted.
- Files that a tainted run writes, and long outputs that are kept, bear the mark: whoever reads one later is tainted by it. To replace the
  whole file from a session that is not tainted takes the mark away. A command can write and copy any file, so one that runs in a
  tainted session, or where files bear marks, marks the workspace as a whole. \`marks list\` shows the marks; when you have looked, \`marks clear AGENT PATH\` takes one away.
- Excerpts of session_search count as foreign: what was said then may have come from anywhere.
- So does what nobody can say any more: what a run had read that was set aside after a fault, and a conversation of an older version.
- It ends with the session: with its idle time, or a reset.

What you write and what lies unmarked in the workspace is trusted. What is not followed: [decision 0024](decisions/0024-foreign-text.md).

## Long outputs

No tool floods a conversation. What a command or a page answers beyond 30,000 bytes, and what any other tool answers beyond 120,000
characters, is cut in its middle; the output is kept in \`.statehive/output\` in the workspace, and the model is told where. There
file_read reads it in portions, from line to line; lines over 2000 bytes are broken in the kept file, so that nothing of it stays out of
reach. What is no text is kept and not shown. At most 16 MiB of an output are kept, for 7 days, and 256 MiB of all outputs together.
`;

function textOf(value: Json | undefined): string {
  if (typeof value !== "string") throw new TypeError("A parameter has no type or no description.");
  return value;
}

function typeOf(schema: JsonObject): string {
  const items = schema["items"];
  return schema["type"] === "array" && typeof items === "object"
    ? "list of strings"
    : textOf(schema["type"]);
}

function parameterRows(parameters: JsonObject): string {
  const required = parameters["required"] as readonly string[] | undefined;
  return Object.entries(parameters["properties"] as Record<string, JsonObject>)
    .map(([name, schema]) => {
      const need = required?.includes(name) === true ? "" : ", optional";
      return `| \`${name}\` | ${typeOf(schema)}${need} | ${textOf(schema["description"])} |`;
    })
    .join("\n");
}

function section(tool: Tool): string {
  return `## ${tool.name}

Risk class: ${tool.risk}. Recovery: ${tool.recovery}.

${tool.description}

| parameter | type | |
|---|---|---|
${parameterRows(tool.parameters)}
`;
}

it("keeps docs/tools.md as the registry has it", async () => {
  const page = [introduction, ...builtInTools.map(section)].join("\n");
  await expect(page).toMatchFileSnapshot("../../docs/tools.md");
});

import { z } from "zod";
import { commandCapability, readCommand } from "../policy/shell-command.ts";
import { visibleText } from "../policy/visible-text.ts";
import type { Files } from "../ports/files.ts";
import type { Sandbox, SandboxProgram } from "../ports/sandbox.ts";
import { AgentError } from "../schema/errors.ts";
import { maxPathCharacters, relativePath } from "../schema/relative-path.ts";
import { stopIfAborted } from "./abort.ts";
import { endNote } from "./program-end.ts";
import { shownOutput } from "./shown-output.ts";
import { type Circumstances, defineTool } from "./tool.ts";

const maxCommandCharacters = 8_000;
const defaultTimeoutMs = 60_000;
const maxTimeoutMs = 600_000;
const maxKeptBytes = 16 * 1024 * 1024;

type Command = { readonly command: string; readonly cwd?: string | undefined };

const unconfinedNote = "; it ran in no sandbox, so the workspace was not at /workspace";
const unconfinedReason =
  "No sandbox holds this command: it can read, change and send whatever you can. You are asked each time.";

function describe({ command, cwd }: Command): string {
  const how = readCommand(command).kind === "shell" ? "Run in a shell" : "Run";
  return `${how}${cwd === undefined ? "" : ` in ${visibleText(cwd)}`}: ${visibleText(command)}`;
}

/** Looked up each time, so that what is run is what its name meant to the person who was asked. */
function circumstancesOf(call: Command, sandbox: Sandbox): Circumstances {
  const available = sandbox.available();
  if (!available.ok)
    return {
      ok: false,
      reason: `tool.failed: Commands cannot be run here: ${available.reason}`,
    };
  const { isConfined } = available;
  const read = readCommand(call.command);
  const name = read.kind === "argv" ? read.argv[0] : "sh";
  const program = sandbox.locate(name);
  if (program === undefined)
    return { ok: false, reason: `tool.failed: There is no program ${visibleText(name)}.` };
  const isPlain = read.kind === "shell" || program === name;
  const where = isPlain ? "" : ` (${visibleText(name)} is ${visibleText(program)})`;
  return {
    ok: true,
    bound: { program, is_confined: isConfined },
    summary: `${isConfined ? "" : "UNCONFINED, in no sandbox: "}${describe(call)}${where}`,
    ...(isConfined ? {} : { mustAsk: unconfinedReason }),
  };
}

/** @throws AgentError tool.failed */
function programOf(command: string, sandbox: Sandbox): SandboxProgram {
  const read = readCommand(command);
  if (read.kind === "shell") return read;
  const [name, ...rest] = read.argv;
  const path = sandbox.locate(name);
  if (path === undefined)
    throw new AgentError("tool.failed", `There is no program ${visibleText(name)}.`);
  return { kind: "argv", argv: [path, ...rest] };
}

/** The directory in its normal form, once it is seen to be one that no link leads to. */
async function workingDirectory(path: string, files: Files): Promise<string> {
  const { kind } = await files.stat(path);
  const normal = relativePath(path);
  if (kind === "directory" && normal.ok) return normal.path;
  throw new AgentError("file.refused", `${visibleText(path)} is not a directory.`);
}

export const shellExecTool = defineTool({
  name: "shell_exec",
  description: {
    what: "Runs a command in a sandbox that holds your workspace and the system's programs.",
    usage:
      "`command` is run as it stands, without a shell, where it is one simple command of plain words and quotes; everything else " +
      "(pipes, `;`, `&&`, redirections, variables, wildcards, `cd`) is run by `sh`. `cwd` is a directory relative to the " +
      `workspace. \`timeout_ms\` (default ${defaultTimeoutMs}, at most ${maxTimeoutMs}) ends it by force. The workspace is ` +
      "at /workspace and the only place whose changes stay; /tmp is empty at each start. There is no network, no terminal, no " +
      "input and no environment of the machine. What runs in the background ends with the command. The result is stdout and stderr " +
      "as they came, and in brackets the exit code; a long output is cut in the middle and kept in a file that file_read can " +
      "read. The person is asked before it runs.",
    examples: [
      { input: { command: "npm test" }, means: "a program with its argument" },
      {
        input: { command: "grep -c . *.csv | sort", cwd: "data", timeout_ms: 10_000 },
        means: "shell text in the directory data, for at most ten seconds",
      },
    ],
    notFor:
      "Not for reading, listing, searching, writing or editing files where a file tool will do: those need fewer questions. Not " +
      "for downloads, servers or programs that ask.",
  },
  input: {
    command: z
      .string()
      .min(1)
      .max(maxCommandCharacters)
      .regex(/^[^\0]*$/, { error: "a command cannot contain NUL" })
      .describe("The command line."),
    cwd: z
      .string()
      .min(1)
      .max(maxPathCharacters)
      .optional()
      .describe("The directory to run it in, relative to the workspace."),
    timeout_ms: z
      .int()
      .min(100)
      .max(maxTimeoutMs)
      .optional()
      .describe("Milliseconds after which it is killed."),
  },
  risk: "unsafe",
  recovery: "once",
  capabilities: ({ command }) => [commandCapability(command)],
  summary: describe,
  circumstances: (call, { sandbox }) => circumstancesOf(call, sandbox),
  async run({ command, cwd = ".", timeout_ms: deadlineMs = defaultTimeoutMs }, context) {
    const { files, sandbox, signal } = context;
    stopIfAborted(signal);
    const availability = sandbox.available();
    if (!availability.ok)
      throw new AgentError("tool.failed", `Commands cannot be run here: ${availability.reason}`);
    const directory = await workingDirectory(cwd, files);
    const program = programOf(command, sandbox);
    const { end, output } = await sandbox.run(
      { program, directory, deadlineMs, maxOutputBytes: maxKeptBytes },
      signal,
    );
    const shown = await shownOutput(output, context);
    const note = `${endNote(end, deadlineMs)}${availability.isConfined ? "" : unconfinedNote}`;
    return shown === "" ? `[no output; ${note}]` : `${shown.replace(/\n$/, "")}\n\n[${note}]`;
  },
});

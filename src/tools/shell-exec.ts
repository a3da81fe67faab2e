import { z } from "zod";
import { origin } from "../policy/origins.ts";
import { commandCapability, readCommand } from "../policy/shell-command.ts";
import { visibleText } from "../policy/visible-text.ts";
import type { Files } from "../ports/files.ts";
import type { SandboxView } from "../ports/sandbox.ts";
import { AgentError } from "../schema/errors.ts";
import { maxPathCharacters } from "../schema/relative-path.ts";
import { stopIfAborted } from "./abort.ts";
import { endNote } from "./program-end.ts";
import { type PreparedCommand, prepareCommand, type ShellCall } from "./shell-prepared.ts";
import { termsOf } from "./shell-terms.ts";
import { shownOutput } from "./shown-output.ts";
import { type Brought, type Circumstances, defineTool } from "./tool.ts";

const maxCommandCharacters = 8_000;
const defaultTimeoutMs = 60_000;
const maxTimeoutMs = 600_000;
const maxKeptBytes = 16 * 1024 * 1024;

const unconfinedNote = "; it ran in no sandbox, so the workspace was not at /workspace";
const unconfinedReason =
  "No sandbox holds this command: it can read, change and send whatever you can. You are asked each time.";

function describe({ command, cwd }: ShellCall): string {
  const how = readCommand(command).kind === "shell" ? "Run in a shell" : "Run";
  return `${how}${cwd === undefined ? "" : ` in ${visibleText(cwd)}`}: ${visibleText(command)}`;
}

/** Looked up each time, so that what is run is what its name meant to the person who was asked. */
function circumstancesOf(call: ShellCall, sandbox: SandboxView): Circumstances {
  try {
    const prepared = prepareCommand(call, sandbox);
    const { bound, isConfined } = prepared;
    const summary = `${isConfined ? "" : "UNCONFINED, in no sandbox: "}${describe(call)}${notes(prepared)}`;
    return isConfined
      ? { ok: true, bound, summary, isConfined, ...termsOf(prepared) }
      : { ok: true, bound, summary, isConfined, mustAsk: unconfinedReason };
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown;
    return { ok: false, reason: `${thrown.code}: ${thrown.message}` };
  }
}

function notes({ read, program, isWatchedInPart }: PreparedCommand): string {
  const name = read.kind === "argv" ? read.argv[0] : program;
  const meaning = name === program ? "" : ` (${visibleText(name)} is ${visibleText(program)})`;
  return isWatchedInPart ? `${meaning} (not all files that it names are watched)` : meaning;
}

/** A program can show any file of the workspace, and what the network says where no sandbox keeps it off. */
function broughtFrom(sandbox: SandboxView): Brought {
  const available = sandbox.available();
  const isConfined = available.ok && available.isConfined;
  const shell = origin("tool", "shell_exec");
  return { private: [shell], untrusted: isConfined ? [] : [shell], reads: ["."] };
}

/** No link may lead to the directory. */
async function refuseNoDirectory(path: string, files: Files): Promise<void> {
  const { kind } = await files.stat(path);
  if (kind !== "directory")
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
      "read. The person is asked before it runs. They may allow a simple command, or a script that is a file, for longer; shell text " +
      "and code on the command line are asked about each time.",
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
  brings: (_, { sandbox }) => broughtFrom(sandbox),
  writes: () => [{ path: ".", isWhole: false }],
  async run({ command, cwd = ".", timeout_ms: deadlineMs = defaultTimeoutMs }, context) {
    const { files, sandbox, signal } = context;
    stopIfAborted(signal);
    const { bound, directory, ...prepared } = prepareCommand({ command, cwd }, sandbox);
    await refuseNoDirectory(directory, files);
    if (!context.isAsAllowed(bound))
      throw new AgentError(
        "tool.failed",
        "What the command runs has changed since it was allowed, so nothing was begun.",
      );
    const { run: program, sealed, isConfined } = prepared;
    const { end, output } = await sandbox.run(
      { program, directory, sealed, deadlineMs, maxOutputBytes: maxKeptBytes },
      signal,
    );
    const shown = await shownOutput(output, context);
    const note = `${endNote(end, deadlineMs)}${isConfined ? "" : unconfinedNote}`;
    return shown === "" ? `[no output; ${note}]` : `${shown.replace(/\n$/, "")}\n\n[${note}]`;
  },
});

import { codeWords, mostWatchedFiles } from "../policy/shell-code-files.ts";
import { readCommand, type ShellCommand } from "../policy/shell-command.ts";
import { type Reach, reachOf } from "../policy/shell-grant.ts";
import { visibleText } from "../policy/visible-text.ts";
import type { FileDigest, SandboxProgram, SandboxView, SealedFile } from "../ports/sandbox.ts";
import { AgentError } from "../schema/errors.ts";
import type { JsonObject } from "../schema/json.ts";
import { relativePath } from "../schema/relative-path.ts";

/** All that decides what a command does, found out now: what is shown, allowed and run is this. */

export type ShellCall = { readonly command: string; readonly cwd?: string | undefined };

export type WatchedFile = { readonly word: string; readonly digest: FileDigest };

export type PreparedCommand = {
  readonly read: ShellCommand;
  readonly isConfined: boolean;
  /** The file that the program's name means. */
  readonly program: string;
  /** In its normal form. */
  readonly directory: string;
  readonly reach: Reach;
  /** Files that it may run as code. */
  readonly watched: readonly WatchedFile[];
  /** There are more of them. */
  readonly isWatchedInPart: boolean;
  /** How the sandbox runs it. */
  readonly run: SandboxProgram;
  readonly sealed: readonly SealedFile[];
  /** What an approval is bound to. */
  readonly bound: JsonObject;
};

/** @throws AgentError tool.failed, file.outside: it cannot be run */
export function prepareCommand(call: ShellCall, sandbox: SandboxView): PreparedCommand {
  const available = sandbox.available();
  if (!available.ok)
    throw new AgentError("tool.failed", `Commands cannot be run here: ${available.reason}`);
  const { isConfined } = available;
  const read = readCommand(call.command);
  const program = programOf(read, sandbox);
  const directory = directoryOf(call.cwd);
  const reach = reachOf(read);
  const words = codeWords(read);
  const watched = words
    .slice(0, mostWatchedFiles)
    .map((word) => ({ word, digest: sandbox.digest(directory, word) }));
  const run = read.kind === "shell" ? read : withProgram(read, program);
  return {
    read,
    isConfined,
    program,
    directory,
    reach,
    watched,
    isWatchedInPart: words.length > mostWatchedFiles,
    run,
    sealed: watched.flatMap((file) => sealedFile(file, reach)),
    bound: {
      argv: run.kind === "argv" ? [...run.argv] : [program, "-c", run.text],
      directory,
      is_confined: isConfined,
      surroundings: [...sandbox.surroundings(directory)],
      files: filesInWords(watched),
    },
  };
}

/** Each file with what it holds, as text that is equal while they are. */
export function filesInWords(watched: readonly WatchedFile[]): [string, string][] {
  return watched.map(({ word, digest }) => [word, contentInWords(digest)]);
}

function contentInWords(digest: FileDigest): string {
  switch (digest.kind) {
    case "file":
      return digest.sha256;
    case "absent":
      return "absent";
    case "unfit":
      return `unfit: ${digest.reason}`;
  }
}

function programOf(read: ShellCommand, sandbox: SandboxView): string {
  const name = read.kind === "argv" ? read.argv[0] : "sh";
  const path = sandbox.locate(name);
  if (path !== undefined) return path;
  throw new AgentError("tool.failed", `There is no program ${visibleText(name)}.`);
}

function withProgram(
  { argv: [, ...rest] }: Extract<ShellCommand, { readonly kind: "argv" }>,
  program: string,
): SandboxProgram {
  return { kind: "argv", argv: [program, ...rest] };
}

function directoryOf(cwd = "."): string {
  const normal = relativePath(cwd);
  if (normal.ok) return normal.path;
  throw new AgentError("file.outside", visibleText(normal.message));
}

function sealedFile({ word, digest }: WatchedFile, reach: Reach): readonly SealedFile[] {
  if (digest.kind !== "file") return [];
  const isHeld = reach.kind === "any_arguments" && reach.script === word;
  return [{ path: word, sha256: digest.sha256, isHeld }];
}

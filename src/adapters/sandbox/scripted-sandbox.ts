import { hash } from "node:crypto";
import { posix } from "node:path";
import type {
  FileDigest,
  Sandbox,
  SandboxCommand,
  SandboxEnd,
  SandboxResult,
} from "../../ports/sandbox.ts";
import { AgentError } from "../../schema/errors.ts";
import { OutputCapture } from "./output-capture.ts";
import { hasChanged } from "./sealed-files.ts";

/** What a program of the script does: it prints and ends, or it prints and runs until it is stopped. */
export type ScriptedProgram = {
  readonly output?: string;
  readonly end?: SandboxEnd | "runs until stopped";
};

export type ScriptedSandbox = Sandbox & {
  /** Everything that was begun. */
  readonly begun: readonly SandboxCommand[];
};

export type ScriptedPlace = {
  readonly isConfined?: boolean;
  /** What lies in the workspace, by path; whoever has it may change it. */
  readonly files?: ReadonlyMap<string, string>;
};

/** A sandbox for tests: nothing runs, the script says what would have happened. */
export function createScriptedSandbox(
  script: (command: SandboxCommand) => ScriptedProgram,
  { isConfined = true, files = new Map() }: ScriptedPlace = {},
): ScriptedSandbox {
  const begun: SandboxCommand[] = [];
  const digest = (directory: string, path: string): FileDigest => {
    const text = files.get(posix.join(directory, path));
    return text === undefined ? { kind: "absent" } : { kind: "file", sha256: hash("sha256", text) };
  };
  return {
    begun,
    available: () => ({ ok: true, isConfined }),
    locate: (program) => (program.includes("/") ? program : `/usr/bin/${program}`),
    surroundings: (directory) => [`in ${directory}`],
    digest,
    async run(command, signal): Promise<SandboxResult> {
      if (signal.aborted) throw aborted();
      refuseChanged(command, digest);
      begun.push(command);
      const { output = "", end = { kind: "exited", code: 0 } } = script(command);
      const capture = new OutputCapture(command.maxOutputBytes);
      capture.push(new TextEncoder().encode(output));
      const ended = end === "runs until stopped" ? await stopped(command.deadlineMs, signal) : end;
      return { end: ended, output: capture.result() };
    },
  };
}

function refuseChanged({ directory, sealed }: SandboxCommand, digest: Sandbox["digest"]): void {
  for (const { path, sha256 } of sealed) {
    const now = digest(directory, path);
    if (now.kind !== "file" || now.sha256 !== sha256) throw hasChanged(path);
  }
}

function aborted(): AgentError {
  return new AgentError("activity.aborted", "The program was stopped.");
}

function stopped(deadlineMs: number, signal: AbortSignal): Promise<SandboxEnd> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => resolve({ kind: "timed_out" }), deadlineMs);
    signal.addEventListener("abort", () => {
      clearTimeout(deadline);
      reject(aborted());
    });
  });
}

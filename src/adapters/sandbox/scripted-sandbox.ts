import type { Sandbox, SandboxCommand, SandboxEnd, SandboxResult } from "../../ports/sandbox.ts";
import { AgentError } from "../../schema/errors.ts";
import { OutputCapture } from "./output-capture.ts";

/** What a program of the script does: it prints and ends, or it prints and runs until it is stopped. */
export type ScriptedProgram = {
  readonly output?: string;
  readonly end?: SandboxEnd | "runs until stopped";
};

export type ScriptedSandbox = Sandbox & {
  /** Everything that was begun. */
  readonly begun: readonly SandboxCommand[];
};

/** A sandbox for tests: nothing runs, the script says what would have happened. */
export function createScriptedSandbox(
  script: (command: SandboxCommand) => ScriptedProgram,
  isConfined = true,
): ScriptedSandbox {
  const begun: SandboxCommand[] = [];
  return {
    begun,
    available: () => ({ ok: true, isConfined }),
    locate: (program) => (program.includes("/") ? program : `/usr/bin/${program}`),
    async run(command, signal): Promise<SandboxResult> {
      if (signal.aborted) throw aborted();
      begun.push(command);
      const { output = "", end = { kind: "exited", code: 0 } } = script(command);
      const capture = new OutputCapture(command.maxOutputBytes);
      capture.push(new TextEncoder().encode(output));
      const ended = end === "runs until stopped" ? await stopped(command.deadlineMs, signal) : end;
      return { end: ended, output: capture.result() };
    },
  };
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

import { join } from "node:path";
import type { Sandbox, SandboxCommand, SandboxResult, SandboxView } from "../../ports/sandbox.ts";
import { AgentError } from "../../schema/errors.ts";
import { findProgram, programEnvironment } from "./program-surroundings.ts";
import { digestOf, type PlaceOfCommand, sealedContent } from "./sealed-files.ts";
import { UnconfinedProcess } from "./unconfined-process.ts";

/** Commands without walls, for machines that cannot make a sandbox and whose owner wants them all the same: the same words, directory,
 *  environment, deadline and output bound as in one. Source: docs/decisions/0019-commands-without-a-sandbox.md */

/** @param workspace an existing directory, as its real path */
export function createUnconfinedSandbox(workspace: string): Sandbox {
  return {
    ...viewUnconfined(workspace),
    run: (command, signal) => runProgram(placeOf(workspace, command.directory), command, signal),
  };
}

/** The same for who only looks. */
export function viewUnconfined(workspace: string): SandboxView {
  return {
    available: () => ({ ok: true, isConfined: false }),
    locate: findProgram,
    surroundings: (directory) => [
      join(workspace, directory),
      ...Object.entries(programEnvironment).map(([name, value]) => `${name}=${value}`),
    ],
    digest: (directory, path) => digestOf(placeOf(workspace, directory), path),
  };
}

function placeOf(workspace: string, directory: string): PlaceOfCommand {
  return { workspace, seenAt: workspace, directory };
}

async function runProgram(
  place: PlaceOfCommand,
  { program, sealed, deadlineMs, maxOutputBytes }: SandboxCommand,
  signal: AbortSignal,
): Promise<SandboxResult> {
  if (signal.aborted) throw new AgentError("activity.aborted", "The program was not begun.");
  const argv = program.kind === "argv" ? program.argv : ["sh", "-c", program.text];
  const directory = join(place.workspace, place.directory);
  for (const file of sealed) sealedContent(place, file);
  const running = new UnconfinedProcess({ directory, argv, maxOutputBytes });
  const abort = () => running.stop({ kind: "aborted" });
  signal.addEventListener("abort", abort);
  const deadline = setTimeout(() => running.stop({ kind: "timed_out" }), deadlineMs);
  try {
    return await running.result();
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener("abort", abort);
  }
}

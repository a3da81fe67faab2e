import { posix } from "node:path";
import type { Sandbox, SandboxCommand, SandboxResult } from "../../ports/sandbox.ts";
import { AgentError } from "../../schema/errors.ts";
import { bubblewrapOptions, workspacePlace } from "./bubblewrap-options.ts";
import type { Bubblewrap } from "./detect-bubblewrap.ts";
import { endLeftovers } from "./end-leftovers.ts";
import { findProgram } from "./program-surroundings.ts";
import { createProgramPipes } from "./program-pipes.ts";
import { type Launch, SandboxProcess } from "./sandbox-process.ts";
import { watchUse } from "./watch-use.ts";

/** The sandbox of Linux: namespaces by bwrap, limits by prlimit. Source: docs/decisions/0011-shell-in-bubblewrap.md */

export type BubblewrapOptions = {
  /** An existing directory, as its real path. */
  readonly workspace: string;
  readonly bubblewrap: Bubblewrap;
};

export function createBubblewrapSandbox(options: BubblewrapOptions): Sandbox {
  const { bubblewrap, workspace } = options;
  if (!bubblewrap.ok) return createMissingSandbox(bubblewrap.reason);
  const { canDisableUserNamespaces } = bubblewrap;
  endLeftovers(workspace);
  return {
    available: () => ({ ok: true, isConfined: true }),
    locate: findProgram,
    run: (command, signal) => {
      const directory = posix.join(workspacePlace, command.directory);
      const shape = { workspace, directory, canDisableUserNamespaces };
      return runProgram({ options: bubblewrapOptions(shape), directory }, command, signal);
    },
  };
}

/** Where no sandbox can be made: nothing runs. */
export function createMissingSandbox(reason: string): Sandbox {
  return {
    available: () => ({ ok: false, reason }),
    locate: () => undefined,
    run: () => Promise.reject(new AgentError("tool.failed", reason)),
  };
}

async function runProgram(
  place: Pick<Launch, "options" | "directory">,
  { program, deadlineMs, maxOutputBytes }: SandboxCommand,
  signal: AbortSignal,
): Promise<SandboxResult> {
  refuseAborted(signal);
  const argv = program.kind === "argv" ? program.argv : ["sh", "-c", program.text];
  const running = await start({ ...place, argv, maxOutputBytes });
  const abort = () => running.stop({ kind: "aborted" });
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort);
  const deadline = setTimeout(() => running.stop({ kind: "timed_out" }), deadlineMs);
  const stopWatching = watchUse(running);
  try {
    return await running.result();
  } finally {
    clearTimeout(deadline);
    stopWatching();
    signal.removeEventListener("abort", abort);
  }
}

function refuseAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AgentError("activity.aborted", "The program was not begun.");
}

async function start(launch: Launch): Promise<SandboxProcess> {
  try {
    return new SandboxProcess(launch, await createProgramPipes());
  } catch (cause) {
    throw new AgentError("tool.failed", "The sandbox could not be started.", { cause });
  }
}

import { posix } from "node:path";
import type { Sandbox, SandboxCommand, SandboxResult, SandboxView } from "../../ports/sandbox.ts";
import { AgentError } from "../../schema/errors.ts";
import { bubblewrapOptions, type SandboxShape, workspacePlace } from "./bubblewrap-options.ts";
import type { Bubblewrap } from "./detect-bubblewrap.ts";
import { endLeftovers } from "./end-leftovers.ts";
import { findProgram } from "./program-surroundings.ts";
import { createProgramPipes } from "./program-pipes.ts";
import { heldDescriptor, type Launch, SandboxProcess } from "./sandbox-process.ts";
import { digestOf, type PlaceOfCommand, sealedContent, seenPath } from "./sealed-files.ts";
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
  endLeftovers(workspace);
  return {
    ...viewBubblewrap(options),
    run: async (command, signal) => {
      refuseAborted(signal);
      const { directory } = command;
      const shape = shapeOf(workspace, directory, bubblewrap);
      return runProgram(launchOf(command, shape, placeOf(workspace, directory)), command, signal);
    },
  };
}

/** The same for who only looks: what a service runs in the workspace goes on. */
export function viewBubblewrap({ workspace, bubblewrap }: BubblewrapOptions): SandboxView {
  if (!bubblewrap.ok) return createMissingSandbox(bubblewrap.reason);
  return {
    available: () => ({ ok: true, isConfined: true }),
    locate: findProgram,
    surroundings: (directory) => bubblewrapOptions(shapeOf(workspace, directory, bubblewrap)),
    digest: (directory, path) => digestOf(placeOf(workspace, directory), path),
  };
}

function placeOf(workspace: string, directory: string): PlaceOfCommand {
  return { workspace, seenAt: workspacePlace, directory };
}

type FoundBubblewrap = Extract<Bubblewrap, { readonly ok: true }>;

function shapeOf(workspace: string, directory: string, found: FoundBubblewrap): SandboxShape {
  const { canDisableUserNamespaces, canHoldFiles } = found;
  const seenAt = posix.join(workspacePlace, directory);
  return { workspace, directory: seenAt, canDisableUserNamespaces, canHoldFiles };
}

/** Where no sandbox can be made: nothing runs. */
export function createMissingSandbox(reason: string): Sandbox {
  return {
    available: () => ({ ok: false, reason }),
    locate: () => undefined,
    surroundings: () => [],
    digest: () => ({ kind: "absent" }),
    run: () => Promise.reject(new AgentError("tool.failed", reason)),
  };
}

/** @throws AgentError tool.failed */
function launchOf(
  { program, sealed, maxOutputBytes }: SandboxCommand,
  shape: SandboxShape,
  place: PlaceOfCommand,
): Launch {
  const { directory, canHoldFiles } = shape;
  const argv = program.kind === "argv" ? program.argv : ["sh", "-c", program.text];
  const launch = { directory, argv, sealed, maxOutputBytes };
  const file = canHoldFiles ? sealed.find(({ isHeld }) => isHeld) : undefined;
  if (file === undefined) return { ...launch, options: bubblewrapOptions(shape) };
  const { bytes, isExecutable } = sealedContent(place, file);
  const at = seenPath(place, file.path);
  const held = { descriptor: heldDescriptor, at, isExecutable };
  return { ...launch, options: bubblewrapOptions({ ...shape, held }), held: bytes };
}

async function runProgram(
  launch: Launch,
  { deadlineMs }: SandboxCommand,
  signal: AbortSignal,
): Promise<SandboxResult> {
  const running = await start(launch);
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

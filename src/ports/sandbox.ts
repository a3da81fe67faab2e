/** Programs of one agent, run apart from the machine.
 *
 *  A program sees the agent's workspace (read and write), the system's own programs (read only) and nothing else: no network,
 *  no other process, no environment but a fixed one. It begins only while the caller lives, and nothing of it outlives
 *  the call or the caller: what it left in the background ends with it.
 *
 *  `run` rejects with an AgentError and nothing else: `activity.aborted` (the signal fired; the program was killed or never
 *  began), `tool.failed` (it could not be started; it never began). A program that had ended before it could be stopped
 *  is told as ended. `run` settles only when every process of the program is gone. */
export type Sandbox = {
  available(): SandboxAvailability;
  /** The file that a program's name means to `run`, whatever lies in the workspace; undefined: there is none. A name with a
   *  slash means itself. */
  locate(program: string): string | undefined;
  /** What stands around a program that runs in this directory: its environment and what it is shown of the machine. Equal words
   *  mean equal surroundings. */
  surroundings(directory: string): readonly string[];
  /** What a program that runs in this directory finds under this path, now; read at once, without following a link. */
  digest(directory: string, path: string): FileDigest;
  run(command: SandboxCommand, signal: AbortSignal): Promise<SandboxResult>;
};

/** What is true of programs here, without running one. */
export type SandboxView = Omit<Sandbox, "run">;

/** Not confined: programs run as the service's user, with everything in reach that is in that user's; the walls above are not
 *  there. `reason` says for people what is missing and what to do about it. */
export type SandboxAvailability =
  | { readonly ok: true; readonly isConfined: boolean }
  | { readonly ok: false; readonly reason: string };

export type SandboxProgram =
  | { readonly kind: "argv"; readonly argv: readonly string[] }
  | { readonly kind: "shell"; readonly text: string };

export const mostDigestedBytes = 1024 * 1024;

/** `absent`: no file is there, or it lies outside the workspace. `unfit`: its content cannot be held on to, for this reason. */
export type FileDigest =
  | { readonly kind: "file"; readonly sha256: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unfit"; readonly reason: string };

/** A file that a program runs as code, under the path by which the program finds it from its directory. */
export type SealedFile = {
  readonly path: string;
  readonly sha256: string;
  /** It is what the command runs, and nothing else: inside the walls it cannot be written to as long as the program lives. */
  readonly isHeld: boolean;
};

export type SandboxCommand = {
  readonly program: SandboxProgram;
  /** Relative to the workspace; `.` is the workspace itself. */
  readonly directory: string;
  /** The program begins only while each of these has that content; else `run` rejects with `tool.failed`. */
  readonly sealed: readonly SealedFile[];
  readonly deadlineMs: number;
  /** How much of the output's start is kept. */
  readonly maxOutputBytes: number;
};

/** A code over 128 stands for a signal too, as in a shell. `over_limit`: it was killed for its processes or its memory.
 *  `killed`: from outside. */
export type SandboxEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "timed_out" }
  | { readonly kind: "over_limit"; readonly limit: string }
  | { readonly kind: "killed"; readonly signal: string };

/** stdout and stderr in the order in which they were written. */
export type SandboxOutput = {
  /** The first `maxOutputBytes`. */
  readonly start: Uint8Array;
  /** What was written last; empty while `start` holds everything. */
  readonly end: Uint8Array;
  readonly totalBytes: number;
};

export type SandboxResult = { readonly end: SandboxEnd; readonly output: SandboxOutput };

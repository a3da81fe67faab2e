import type { Environment } from "../config/environment.ts";

/** What a command sees of the process around it; tests give their own. */

export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
};
export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

export type Terminal = {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Environment;
  readonly homedir: string;
  now(): number;
  /** The newest listener gets the signal; without one the process ends with 130. @returns takes the listener away */
  onSignal(listener: (signal: StopSignal) => void): () => void;
  /** Hears of a fault that nobody caught, before the process ends with 70. */
  onFault(listener: (fault: unknown) => void): void;
  /** Ends the process at once. */
  exit(code: number): never;
};

export function isInteractive({ stdin, stdout }: Terminal): boolean {
  return stdin.isTTY === true && stdout.isTTY === true;
}

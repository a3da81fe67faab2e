import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import type { SandboxEnd, SandboxResult } from "../../ports/sandbox.ts";
import { AgentError } from "../../schema/errors.ts";
import { coveringInherited } from "./inherited-descriptors.ts";
import { OutputCapture } from "./output-capture.ts";
import { limitedAmongOthers, programEnvironment } from "./program-surroundings.ts";
import { killNow } from "./kill-now.ts";
import { readToEnd } from "./program-pipes.ts";

/** One program outside any sandbox, from its start until all of it that can be found is gone. */

export type UnconfinedLaunch = {
  readonly directory: string;
  readonly argv: readonly string[];
  readonly maxOutputBytes: number;
};

export type Stop =
  | { readonly kind: "aborted" }
  | Extract<SandboxEnd, { readonly kind: "timed_out" }>;

/** Each process of the program inherits this variable, also one that has left the group by setsid. One that clears its own environment
 *  as well is not found again. */
const markName = "STATEHIVE_CALL";

/** Ends where a link that took the place of the directory has led it elsewhere. The code is one that no shell gives by itself. */
const elsewhere = 100;
const gate = `test "$(pwd -P)" = "$0" || exit ${elsewhere}; exec "$@" 2>&1 </dev/null`;

const sweepMs = 20;
const mostSweeps = 50;
const drainMs = 1_000;

export class UnconfinedProcess {
  readonly #mark = randomBytes(16).toString("hex");
  readonly #directory: string;
  readonly #capture: OutputCapture;
  readonly #child: ChildProcess;
  readonly #exited: Promise<SandboxEnd>;
  #stop: Stop | undefined;
  #hasExited = false;

  constructor({ directory, argv, maxOutputBytes }: UnconfinedLaunch) {
    this.#directory = directory;
    this.#capture = new OutputCapture(maxOutputBytes);
    this.#child = start(directory, argv, { ...programEnvironment, [markName]: this.#mark });
    this.#child.stdout?.on("data", (bytes: Buffer) => this.#capture.push(bytes));
    this.#exited = this.#whenExited();
  }

  /** Kills everything; a second reason is not heard. */
  stop(reason: Stop): void {
    if (this.#hasExited) return;
    this.#stop ??= reason;
    this.#killGroup();
  }

  /** What the program left behind ends with it, as in a sandbox. */
  async result(): Promise<SandboxResult> {
    const end = await this.#exited;
    await this.#sweep();
    await readToEnd(this.#child.stdout as Socket, drainMs);
    if (this.#stop?.kind === "aborted" && end.kind === "killed")
      throw new AgentError("activity.aborted", "The program was stopped before its end.");
    if (this.#stop?.kind === "timed_out" && end.kind === "killed")
      return { end: this.#stop, output: this.#capture.result() };
    return { end, output: this.#capture.result() };
  }

  #whenExited(): Promise<SandboxEnd> {
    return new Promise((resolve, reject) => {
      this.#child.once("error", (cause) => {
        this.#hasExited = true;
        reject(
          new AgentError("tool.failed", `The program could not be started: ${cause.message}.`, {
            cause,
          }),
        );
      });
      this.#child.once("exit", (code, killedBy) => {
        this.#hasExited = true;
        if (code === elsewhere && this.#capture.result().totalBytes === 0) {
          const why = `${this.#directory} is not that directory any more.`;
          reject(new AgentError("tool.failed", why));
        } else
          resolve(
            code === null
              ? { kind: "killed", signal: killedBy ?? "SIGKILL" }
              : { kind: "exited", code },
          );
      });
    });
  }

  #killGroup(): void {
    if (this.#child.pid !== undefined) killNow(-this.#child.pid);
  }

  /** A process that is about to fork gets away once; the next round finds what it made. */
  async #sweep(): Promise<void> {
    this.#killGroup();
    for (let round = 0; round < mostSweeps; round += 1) {
      const left = processesMarked(`${markName}=${this.#mark}`);
      if (left.length === 0) return;
      for (const pid of left) killNow(pid);
      await new Promise((resolve) => setTimeout(resolve, sweepMs));
    }
  }
}

function start(directory: string, argv: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const nowhere = openSync("/dev/null", "r");
  try {
    return spawn("sh", ["-c", gate, directory, ...limitedAmongOthers(argv)], {
      env,
      cwd: directory,
      detached: true,
      stdio: coveringInherited(["ignore", "pipe", "ignore"] as const, nowhere),
    });
  } finally {
    closeSync(nowhere);
  }
}

/** Zombies have no environment left; whose environment we may not read, we could not kill either. */
function processesMarked(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(mark))
    .map(Number);
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}

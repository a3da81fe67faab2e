import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { SandboxEnd, SandboxResult } from "../../ports/sandbox.ts";
import { AgentError } from "../../schema/errors.ts";
import { limited, systemPath } from "./bubblewrap-options.ts";
import { OutputCapture } from "./output-capture.ts";
import type { OutputPipe } from "./output-pipe.ts";
import { untilGone } from "./process-tree.ts";
import { createStatusReader, type SandboxNews } from "./sandbox-status.ts";

/** One program in one sandbox, from its start to the end of its last process. */

export type Launch = {
  /** bwrap's options. */
  readonly options: readonly string[];
  readonly argv: readonly string[];
  readonly maxOutputBytes: number;
};

export type Stop =
  | { readonly kind: "aborted" }
  | Extract<SandboxEnd, { readonly kind: "timed_out" | "over_limit" }>;

/** The first process inside. The program begins when it is told to: a service that dies before that leaves a program that
 *  never begins, and one that dies later takes bwrap with it, which by then listens to that. With the gate's end the
 *  kernel ends whatever the program left behind. */
const gate = 'read -r go && test "$go" = go && (exec "$@") 2>&1 </dev/null; exit $?';

const statusDescriptor = 3;
const killedCode = 128 + 9;
const throttleMs = 10;
const drainMs = 1_000;
const maxComplaint = 1_000;

export class SandboxProcess {
  readonly #child: ChildProcess;
  readonly #reader: Socket;
  readonly #capture: OutputCapture;
  readonly #closed: Promise<NodeJS.Signals | null>;
  #firstProcess: number | undefined;
  #code: number | undefined;
  #stop: Stop | undefined;
  #hasExited = false;
  #complaint = "";

  constructor(launch: Launch, pipe: OutputPipe) {
    this.#capture = new OutputCapture(launch.maxOutputBytes);
    this.#reader = pipe.reader;
    this.#child = startBubblewrap(launch, pipe.writer);
    this.#closed = this.#whenClosed();
    this.#listen();
  }

  /** The first process inside, once the sandbox is made and until it has ended. */
  get firstProcess(): number | undefined {
    return this.#hasExited ? undefined : this.#firstProcess;
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** Kills everything; a second reason is not heard. */
  stop(reason: Stop): void {
    if (this.#hasExited) return;
    this.#stop ??= reason;
    this.#child.stdin?.destroy();
    if (this.#firstProcess !== undefined) kill(this.#firstProcess);
    else if (this.#child.pid !== undefined) kill(-this.#child.pid);
  }

  /** Settles when no process of it is left. */
  async result(): Promise<SandboxResult> {
    const signal = await this.#closed;
    if (this.#firstProcess !== undefined) await untilGone(this.#firstProcess);
    await this.#drained();
    return { end: this.#end(signal), output: this.#capture.result() };
  }

  #whenClosed(): Promise<NodeJS.Signals | null> {
    return new Promise((resolve, reject) => {
      this.#child.once("error", (error) => {
        this.#reader.destroy();
        reject(notStarted(error.message));
      });
      this.#child.once("exit", () => {
        this.#hasExited = true;
        this.#reader.resume();
      });
      this.#child.once("close", (_code, signal) => resolve(signal));
    });
  }

  #listen(): void {
    const status = this.#child.stdio[statusDescriptor] as Readable | null;
    status?.setEncoding("utf8").on(
      "data",
      createStatusReader((news) => this.#hear(news)),
    );
    this.#child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
      this.#complaint = `${this.#complaint}${piece}`.slice(0, maxComplaint);
    });
    this.#child.stdin?.on("error", () => {
      this.#child.stdin?.destroy();
    });
    this.#reader.on("error", () => this.#reader.destroy());
    this.#reader.on("data", (bytes: Buffer) => this.#take(bytes));
  }

  #hear(news: SandboxNews): void {
    if (news.kind === "ended") {
      this.#code = news.code;
      return;
    }
    this.#firstProcess = news.firstProcess;
    if (this.#stop === undefined) this.#child.stdin?.end("go\n");
    else kill(news.firstProcess);
  }

  /** Of an output without end the reader takes its time, and the program waits for it. */
  #take(bytes: Buffer): void {
    this.#capture.push(bytes);
    if (!this.#capture.isOver() || this.#hasExited) return;
    this.#reader.pause();
    setTimeout(() => this.#reader.resume(), throttleMs);
  }

  #drained(): Promise<void> {
    if (this.#reader.closed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#reader.destroy(), drainMs);
      this.#reader.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #end(signal: NodeJS.Signals | null): SandboxEnd {
    const wasStopped = this.#code === undefined || this.#code === killedCode;
    if (this.#stop !== undefined && wasStopped) {
      if (this.#stop.kind !== "aborted") return this.#stop;
      throw new AgentError("activity.aborted", "The program was stopped before its end.");
    }
    if (this.#code !== undefined) return { kind: "exited", code: this.#code };
    if (signal !== null) return { kind: "killed", signal };
    throw notStarted(this.#complaint.trim());
  }
}

function startBubblewrap({ options, argv }: Launch, writer: number): ChildProcess {
  const status = ["--json-status-fd", `${statusDescriptor}`];
  const program = ["sh", "-c", gate, "sh", ...limited(argv)];
  try {
    return spawn("bwrap", [...options, ...status, "--", ...program], {
      env: { PATH: systemPath },
      cwd: "/",
      detached: true,
      stdio: ["pipe", writer, "pipe", "pipe"],
    });
  } finally {
    closeSync(writer);
  }
}

function notStarted(why: string): AgentError {
  return new AgentError("tool.failed", `The sandbox could not be made: ${why}`);
}

/** @param target a process, or the negative number of a group; one that is gone needs no killing */
function kill(target: number): void {
  try {
    process.kill(target, "SIGKILL");
  } catch (thrown) {
    const isGone = thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH";
    if (!isGone) throw thrown;
  }
}

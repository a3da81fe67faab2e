import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { Duplex } from "node:stream";
import type { SandboxEnd, SandboxResult, SealedFile } from "../../ports/sandbox.ts";
import { AgentError } from "../../schema/errors.ts";
import { limited, systemPath } from "./program-surroundings.ts";
import { killNow } from "./kill-now.ts";
import { coveringInherited } from "./inherited-descriptors.ts";
import { OutputCapture } from "./output-capture.ts";
import { putBehindService, untilGone } from "./process-tree.ts";
import { hasChanged } from "./sealed-files.ts";
import { type ProgramPipes, readToEnd } from "./program-pipes.ts";
import { createStatusReader, type SandboxNews } from "./sandbox-status.ts";

/** One program in one sandbox, from its start to the end of its last process. */

export type Launch = {
  /** bwrap's options. */
  readonly options: readonly string[];
  /** Where it shall run, as an absolute path inside. */
  readonly directory: string;
  readonly argv: readonly string[];
  readonly sealed: readonly SealedFile[];
  /** What bwrap is to put in the place of one of them; its options say which. */
  readonly held?: Uint8Array;
  readonly maxOutputBytes: number;
};

export type Stop =
  | { readonly kind: "aborted" }
  | Extract<SandboxEnd, { readonly kind: "timed_out" | "over_limit" }>;

/** The first process inside. A link that took the place of its directory has led it elsewhere, or what it shall run is not what was
 *  looked at: then it ends. Else it says that it is there, so that by then bwrap and it both die with the service, and begins
 *  the program when it is told to: a service that died before leaves a program that never begins. With the gate's end the
 *  kernel ends whatever the program left behind. */
const readyWord = "statehive-gate-ready";
const changedWord = "statehive-gate-changed";
const gate = [
  `test "$(pwd -P)" = "$0" || { echo "$0 is not that directory any more" >&2; exit 1; }`,
  `test -z "$1" || printf %s "$1" | sha256sum -c - >/dev/null 2>&1 || { echo ${changedWord} >&2; exit 1; }`,
  `shift; echo ${readyWord} >&2`,
  `read -r go && test "$go" = go && (exec "$@") 2>&1 </dev/null; exit $?`,
].join("; ");

const statusDescriptor = 3;
/** Where bwrap reads the content of a held file. */
export const heldDescriptor = 4;
const killedCode = 128 + 9;
const throttleMs = 10;
const drainMs = 1_000;
const maxComplaint = 1_000;

export class SandboxProcess {
  readonly #child: ChildProcess;
  readonly #pipes: ProgramPipes;
  readonly #capture: OutputCapture;
  readonly #sealed: readonly SealedFile[];
  readonly #closed: Promise<NodeJS.Signals | null>;
  #firstProcess: number | undefined;
  #code: number | undefined;
  #stop: Stop | undefined;
  #isReady = false;
  #hasBegun = false;
  #hasExited = false;
  #complaint = "";

  /** @param pipes are its own from now on, also when it throws */
  constructor(launch: Launch, pipes: ProgramPipes) {
    this.#capture = new OutputCapture(launch.maxOutputBytes);
    this.#pipes = pipes;
    this.#sealed = launch.sealed;
    this.#child = startBubblewrap(launch, pipes);
    giveHeld(this.#child, launch.held);
    this.#closed = this.#whenClosed();
    this.#listen();
  }

  /** The first process inside, once the sandbox is made and until it has ended. */
  get firstProcess(): number | undefined {
    return this.#hasExited ? undefined : this.#firstProcess;
  }

  /** Kills everything; a second reason is not heard. */
  stop(reason: Stop): void {
    if (this.#hasExited) return;
    this.#stop ??= reason;
    this.#child.stdin?.destroy();
    if (this.#firstProcess !== undefined) killNow(this.#firstProcess);
    else if (this.#child.pid !== undefined) killNow(-this.#child.pid);
  }

  /** Settles when no process of it is left. */
  async result(): Promise<SandboxResult> {
    const signal = await this.#closed;
    await readToEnd(this.#pipes.status.reader, drainMs);
    if (this.#firstProcess !== undefined) await untilGone(this.#firstProcess);
    await readToEnd(this.#pipes.output.reader, drainMs);
    return { end: this.#end(signal), output: this.#capture.result() };
  }

  #whenClosed(): Promise<NodeJS.Signals | null> {
    return new Promise((resolve, reject) => {
      this.#child.once("error", (error) => {
        this.#pipes.output.reader.destroy();
        this.#pipes.status.reader.destroy();
        reject(notStarted(error.message));
      });
      this.#child.once("exit", () => {
        this.#hasExited = true;
        this.#pipes.output.reader.resume();
      });
      this.#child.once("close", (_code, signal) => resolve(signal));
    });
  }

  #listen(): void {
    const { stdin, stderr } = this.#child;
    const { output, status } = this.#pipes;
    const readStatus = createStatusReader((news) => this.#hear(news));
    status.reader.setEncoding("utf8").on("data", readStatus);
    stderr?.setEncoding("utf8").on("data", (piece: string) => this.#hearComplaint(piece));
    output.reader.on("data", (bytes: Buffer) => this.#take(bytes));
    for (const stream of [stdin, status.reader, output.reader])
      stream?.on("error", () => stream.destroy());
  }

  #hear(news: SandboxNews): void {
    if (news.kind === "ended") {
      this.#code = news.code;
      return;
    }
    this.#firstProcess = news.firstProcess;
    if (this.#stop !== undefined) killNow(news.firstProcess);
    this.#beginOnceReady();
  }

  /** What bwrap has to say, until the gate is there. */
  #hearComplaint(piece: string): void {
    if (this.#isReady) return;
    this.#complaint = `${this.#complaint}${piece}`.slice(0, maxComplaint);
    this.#isReady = this.#complaint.includes(readyWord);
    this.#beginOnceReady();
  }

  #beginOnceReady(): void {
    if (!this.#isReady || this.#firstProcess === undefined || this.#stop !== undefined) return;
    putBehindService(this.#firstProcess);
    this.#hasBegun = true;
    this.#child.stdin?.end("go\n");
  }

  /** Of an output without end the reader takes its time, and the program waits for it. */
  #take(bytes: Buffer): void {
    this.#capture.push(bytes);
    if (!this.#capture.isOver() || this.#hasExited) return;
    const { reader } = this.#pipes.output;
    reader.pause();
    setTimeout(() => reader.resume(), throttleMs);
  }

  #end(signal: NodeJS.Signals | null): SandboxEnd {
    const wasStopped = !this.#hasBegun || this.#code === undefined || this.#code === killedCode;
    if (this.#stop !== undefined && wasStopped) {
      if (this.#stop.kind !== "aborted") return this.#stop;
      throw new AgentError("activity.aborted", "The program was stopped before its end.");
    }
    if (this.#code !== undefined && this.#isReady) return { kind: "exited", code: this.#code };
    if (signal !== null) return { kind: "killed", signal };
    if (this.#complaint.includes(changedWord))
      throw hasChanged(this.#sealed.map(({ path }) => path).join(" or "));
    throw notStarted(this.#complaint.trim());
  }
}

function startBubblewrap(launch: Launch, pipes: ProgramPipes): ChildProcess {
  const { options, directory, argv, sealed, held } = launch;
  const { output, status } = pipes;
  const telling = ["--json-status-fd", `${statusDescriptor}`];
  const sums = sealed.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join("");
  const program = ["sh", "-c", gate, directory, sums, ...limited(argv)];
  const nowhere = openSync("/dev/null", "r");
  const content = held === undefined ? [] : (["pipe"] as const);
  const stdio = ["pipe", output.writer, "pipe", status.writer, ...content] as const;
  try {
    return spawn("bwrap", [...options, ...telling, "--", ...program], {
      env: { PATH: systemPath },
      cwd: "/",
      detached: true,
      stdio: coveringInherited(stdio, nowhere),
    });
  } catch (thrown) {
    for (const { reader } of [output, status]) reader.destroy();
    throw thrown;
  } finally {
    for (const descriptor of [nowhere, output.writer, status.writer]) closeSync(descriptor);
  }
}

/** A bwrap that ends before it has read everything says itself why. */
function giveHeld(child: ChildProcess, content: Uint8Array | undefined): void {
  const pipe = child.stdio[heldDescriptor];
  if (content === undefined || !(pipe instanceof Duplex)) return;
  pipe.on("error", () => pipe.destroy());
  pipe.resume();
  pipe.end(content);
}

function notStarted(why: string): AgentError {
  return new AgentError("tool.failed", `The sandbox could not be made: ${why}`);
}

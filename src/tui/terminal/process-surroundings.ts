import { Console } from "node:console";
import { writeSync } from "node:fs";
import { Writable } from "node:stream";
import type { Surroundings, TtyIn, TtyOut } from "./surroundings.ts";

/** What the program knows of its process: it hears signals and faults, and hands them on. */
export type ProgramTerminal = {
  readonly stdin: TtyIn;
  readonly stdout: TtyOut & { readonly fd?: number };
  /** The newest listener gets the signal. @returns takes the listener away */
  onSignal(listener: (signal: "SIGINT" | "SIGTERM" | "SIGHUP") => void): () => void;
  /** Before the process ends by a fault that nobody caught. */
  onFault(listener: () => void): void;
  exit(code: number): never;
};

/** The real process around the screen. */
export function processSurroundings(terminal: ProgramTerminal): Surroundings {
  const { stdin: input, stdout: output } = terminal;
  return {
    input,
    output,
    writeNow(text) {
      if (output.fd === undefined) output.write(text);
      else writeFully(output.fd, text);
    },
    after(ms, call) {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
    onSignal: (call) => terminal.onSignal(call),
    onLeave(call) {
      terminal.onFault(call);
      process.on("exit", call);
      return () => process.removeListener("exit", call);
    },
    onContinue(call) {
      process.on("SIGCONT", call);
      return () => process.removeListener("SIGCONT", call);
    },
    onStray: captureOutput,
    stop() {
      // The whole group, as Ctrl-Z does: npx and the like wait in the foreground for us.
      process.kill(0, "SIGTSTP");
    },
    hangUp() {
      for (const event of ["SIGHUP", "exit"]) process.removeAllListeners(event);
      process.kill(process.pid, "SIGHUP");
    },
    exit: (code) => terminal.exit(code),
  };
}

/** A terminal that is stopped (Ctrl-S) takes nothing; the process shall end nevertheless. */
const patience = { tries: 100, waitMs: 10 };

function writeFully(fd: number, text: string): void {
  let rest = Buffer.from(text);
  for (let tries = 0; rest.length > 0 && tries < patience.tries; tries++) {
    const written = writeSome(fd, rest);
    if (written === undefined) return;
    rest = rest.subarray(written);
  }
}

/** Undefined if there is no terminal any more. */
function writeSome(fd: number, bytes: Buffer): number | undefined {
  try {
    return writeSync(fd, bytes);
  } catch (fault) {
    if (!(fault instanceof Error && "code" in fault && fault.code === "EAGAIN")) return undefined;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, patience.waitMs);
    return 0;
  }
}

function captureOutput(call: (text: string) => void): () => void {
  const stray = new Writable({
    decodeStrings: false,
    write(text: string | Buffer, _encoding, done) {
      call(String(text).trimEnd());
      done();
    },
  });
  const { console } = globalThis;
  const { stderr } = process;
  const warningListeners = process.listeners("warning");
  const { write } = stderr;
  globalThis.console = new Console(stray);
  if (stderr.isTTY) stderr.write = stray.write.bind(stray);
  process.removeAllListeners("warning");
  const onWarning = ({ name, message }: Error) => call(`${name}: ${message}`);
  process.on("warning", onWarning);
  return () => {
    globalThis.console = console;
    stderr.write = write;
    process.removeListener("warning", onWarning);
    for (const listener of warningListeners) process.on("warning", listener);
  };
}

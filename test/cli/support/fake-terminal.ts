import { PassThrough, Writable } from "node:stream";
import type { StopSignal, Terminal } from "../../../src/cli/terminal.ts";
import { runCli } from "../../../src/cli/run-cli.ts";

/** A terminal that remembers what was written to it. */

export type FakeTerminal = Terminal & {
  readonly out: () => string;
  readonly err: () => string;
  type(text: string): void;
  endInput(): void;
  signal(signal: StopSignal): void;
};

export type FakeTerminalOptions = {
  readonly env?: { readonly [name: string]: string };
  /** Whether stdin, stdout and stderr are a terminal. */
  readonly isTTY?: boolean;
  readonly input?: string;
  readonly home?: string;
};

export const fixedNow = Date.parse("2026-03-01T12:00:00.000Z");

export function fakeTerminal(options: FakeTerminalOptions = {}): FakeTerminal {
  const { env = {}, isTTY = false, input, home = "/nowhere" } = options;
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => stdin });
  const [stdout, stderr] = [new Screen(isTTY), new Screen(isTTY)];
  const listeners: ((signal: StopSignal) => void)[] = [];
  if (input !== undefined) stdin.end(input);
  return {
    stdin,
    stdout,
    stderr,
    env,
    homedir: home,
    now: () => fixedNow,
    onSignal(listener) {
      listeners.push(listener);
      return () => void listeners.splice(listeners.indexOf(listener), 1);
    },
    onFault: () => undefined,
    exit: (code) => {
      throw new Error(`exit ${code}`);
    },
    out: () => stdout.text,
    err: () => stderr.text,
    type: (text) => void stdin.write(text),
    endInput: () => void stdin.end(),
    signal: (signal) => listeners.at(-1)?.(signal),
  };
}

class Screen extends Writable {
  text = "";
  readonly isTTY: boolean;
  readonly columns = 100;

  constructor(isTTY: boolean) {
    super({ decodeStrings: false });
    this.isTTY = isTTY;
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

export type Ran = { readonly code: number; readonly out: string; readonly err: string };

/** One command line, run in this process. */
export async function run(
  argv: readonly string[],
  options: FakeTerminalOptions = {},
): Promise<Ran> {
  const terminal = fakeTerminal(options);
  const code = await runCli(argv, terminal);
  return { code, out: terminal.out(), err: terminal.err() };
}

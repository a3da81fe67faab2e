import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { canaries, refuseCanaries } from "../../support/canaries.ts";
import { run as runHere } from "./fake-terminal.ts";

/** The built command line as processes, each with a home of its own; whatever it started is killed at the end. */

const main = join(import.meta.dirname, "../../../dist/cli/main.js");

export type Ended = {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
};

export type Running = {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<Ended>;
};

export type Place = {
  readonly home: string;
  start(...args: readonly string[]): Running;
  run(...args: readonly string[]): Promise<Ended>;
  /** The same in this process, which is faster. */
  ask(...args: readonly string[]): Promise<Ended>;
  /** `ask` with --json; its one object. */
  askJson(
    ...args: readonly string[]
  ): Promise<{ readonly code: number | null; readonly told: Told }>;
  /** `run` with --json; its one object. */
  json(...args: readonly string[]): Promise<{ readonly code: number | null; readonly told: Told }>;
};

export type Told = {
  readonly ok: boolean;
  readonly data?: unknown;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly hint: string | null;
  };
};

/** @param folders below a fresh temporary directory, where the home shall be
 *  @param end called with what tidies up; the present test's end unless told */
export function newPlace(
  folders: readonly string[] = ["home"],
  end: (tidy: () => void) => void = onTestFinished,
): Place {
  const root = mkdtempSync(join(tmpdir(), "statehive-cli-"));
  const home = join(root, ...folders);
  end(() => {
    killAllNaming(root);
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });
  const start = (...args: readonly string[]) => launch(root, home, args);
  const run = (...args: readonly string[]) => start(...args).ended;
  const env = { STATEHIVE_HOME: home, XDG_RUNTIME_DIR: root };
  const ask = (...args: readonly string[]) => runHere(args, { env, home: root });
  return {
    home,
    start,
    run,
    ask,
    json: async (...args) => told(await run(...args, "--json")),
    askJson: async (...args) => told(await ask(...args, "--json")),
  };
}

function told({ code, out }: Ended) {
  return { code, told: JSON.parse(out) as Told };
}

function launch(root: string, home: string, args: readonly string[]): Running {
  const { ANTHROPIC_API_KEY: _offline, ...others } = canaries;
  const env = {
    ...others,
    PATH: process.env["PATH"],
    HOME: root,
    STATEHIVE_HOME: home,
    XDG_RUNTIME_DIR: root,
  };
  const child = spawn(process.execPath, [main, ...args], {
    env,
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code) => {
      refuseCanaries(args.join(" "), out() + err());
      resolve({ code, out: out(), err: err() });
    });
  });
  return { child, out, err, ended };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}

/** Only what was started with this test's own directory in its command line or environment. */
function killAllNaming(root: string): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    if (!tellsOf(pid, "environ").includes(root) && !tellsOf(pid, "cmdline").includes(root))
      continue;
    if (Number(pid) !== process.pid) kill(Number(pid));
  }
}

function tellsOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

export function kill(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { createBubblewrapSandbox } from "../../../src/adapters/sandbox/bubblewrap.ts";
import { detectBubblewrap } from "../../../src/adapters/sandbox/detect-bubblewrap.ts";
import type { Sandbox, SandboxCommand, SandboxResult } from "../../../src/ports/sandbox.ts";
import { commandOf } from "../../contracts/sandbox.contract.ts";

/** Real sandboxes, where this machine lets us make them; elsewhere their tests are skipped and say why. */

export const bubblewrap = await detectBubblewrap();

export type Sandboxed = {
  readonly sandbox: Sandbox;
  /** The workspace on this machine, with a directory `src`. */
  readonly inside: (path: string) => string;
  /** A neighbour of the workspace. */
  readonly outside: (path: string) => string;
  sh(text: string, changes?: Partial<SandboxCommand>): Promise<SandboxResult>;
  python(text: string, changes?: Partial<SandboxCommand>): Promise<SandboxResult>;
};

const made: string[] = [];

afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

export function createSandboxed(): Sandboxed {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "statehive-sandbox-")));
  made.push(base);
  const inside = (path: string) => join(base, "workspace", path);
  const outside = (path: string) => join(base, "outside", path);
  mkdirSync(inside("src"), { recursive: true });
  mkdirSync(outside("."), { recursive: true });
  const sandbox = createBubblewrapSandbox({ workspace: inside("."), bubblewrap });
  const { signal } = new AbortController();
  const run = (program: SandboxCommand["program"], changes?: Partial<SandboxCommand>) =>
    sandbox.run(commandOf(program, changes), signal);
  return {
    sandbox,
    inside,
    outside,
    sh: (text, changes) => run({ kind: "shell", text }, changes),
    python: (text, changes) => run({ kind: "argv", argv: ["python3", "-c", text] }, changes),
  };
}

/** The host's processes that have this text in their command line, zombies aside.
 *  @param program only those of this name */
export function processesWith(marker: string, program = ""): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => commandLine(name).includes(marker) && commandLine(name).startsWith(program))
    .map(Number)
    .filter((pid) => pid !== process.pid);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

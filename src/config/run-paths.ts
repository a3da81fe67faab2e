import { createHash } from "node:crypto";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { Environment } from "./environment.ts";

/** Where a running service of this home is found. */
export type RunPaths = {
  readonly directory: string;
  readonly socket: string;
  readonly pid: string;
  readonly lock: string;
  /** Its older parts stand beside it: `<log>.1` and so on. */
  readonly log: string;
  /** What a service in the background says outside its log: why it did not start, the last words of a crash. */
  readonly stderr: string;
};

/** The kernel cuts a longer address of a unix socket without a word. */
export const longestSocketPath = 107;

export function runPaths(home: string, env: Environment): RunPaths {
  const directory = join(home, "run");
  return {
    directory,
    socket: socketPath(join(directory, "statehive.sock"), home, env),
    pid: join(directory, "statehive.pid"),
    lock: join(directory, "owner.lock"),
    log: join(home, "logs", "statehive.log"),
    stderr: join(home, "logs", "stderr.log"),
  };
}

function socketPath(wanted: string, home: string, env: Environment): string {
  if (Buffer.byteLength(wanted) <= longestSocketPath) return wanted;
  const name = createHash("sha256").update(home).digest("hex").slice(0, 16);
  const runtime = env["XDG_RUNTIME_DIR"] ?? join(tmpdir(), `statehive-${userInfo().uid}`);
  return join(runtime, `statehive-${name}.sock`);
}

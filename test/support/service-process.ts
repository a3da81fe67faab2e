import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Connection, connect } from "../../src/client/connection.ts";
import { refuseCanaries } from "./canaries.ts";

/** A real service in a process of its own, that can be killed and started again on the same home. */

const main = fileURLToPath(new URL("service-main.mjs", import.meta.url));
const collectInThreads = fileURLToPath(new URL("collect-in-threads.cjs", import.meta.url));

export type Measured = {
  readonly rss: number;
  /** What V8 holds of the resident size for its heap, used or not. */
  readonly heapTotal: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly descriptors: number;
  /** Node's own names of what keeps it awake, with their counts. */
  readonly resources: Readonly<Record<string, number>>;
};

export type ServiceProcess = {
  readonly child: ChildProcess;
  readonly socketPath: string;
  /** Resolves when the process has ended, with what it printed. */
  readonly ended: Promise<string>;
  /** What it has said on stderr. */
  errors(): string;
  connect(): Promise<Connection>;
  kill(): Promise<void>;
  /** What it holds after a garbage collection. */
  measure(): Promise<Measured>;
  /** @returns how many fault points it passed */
  stop(): Promise<number>;
};

export type StartOptions = {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Dies by SIGKILL at this fault point, by its number or its name; 0: never. */
  readonly killAt?: number | string;
  /** It can be asked for `measure`. */
  readonly measured?: boolean;
  /** What it leaks at each fault point in the heap, and as much outside of it, for tests that must see it. */
  readonly leakBytes?: number;
};

/** Has malloc give back what is freed. Left alone it keeps some 30 MB of it, more at one time than at another, in which a leak is not seen for
 *  thousands of runs; and an arena for each thread of the driver fills in its own time, and looks like a leak meanwhile. */
const givingBack = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "16384",
  MALLOC_TRIM_THRESHOLD_: "65536",
  MALLOC_TOP_PAD_: "0",
};

/** Resolves when it is ready, or when it died before that (`socketPath` is then empty). */
export async function startServiceProcess({
  home,
  env,
  killAt = 0,
  measured = false,
  leakBytes = 0,
}: StartOptions): Promise<ServiceProcess> {
  const words = [
    ...(measured
      ? ["--expose-gc", "--max-semi-space-size=2", `--require=${collectInThreads}`]
      : []),
    main,
    home,
    String(killAt),
    String(leakBytes),
  ];
  const child = spawn(process.execPath, words, {
    env: {
      PATH: process.env["PATH"] ?? "",
      ...(measured ? givingBack : {}),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe", ...(measured ? ["ipc" as const] : [])],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  let printed = "";
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, "exit");
  const ended = (async () => {
    await exited;
    refuseCanaries("the service", printed + errors);
    return printed;
  })();
  const socketPath = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const ready = /^ready (.*)$/m.exec(printed);
      if (ready !== null) resolve(ready[1] as string);
    });
    child.once("exit", () => {
      if (child.signalCode === "SIGKILL") resolve("");
      else reject(new Error(`the service ended before it was ready: ${errors.slice(-2000)}`));
    });
  });
  return {
    child,
    socketPath,
    ended,
    errors: () => errors,
    connect: () => connect({ socketPath, timeoutMs: 20_000 }),
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
    measure: () => {
      const answer = once(child, "message").then(([answered]) => answered as Measured);
      child.send("measure");
      return answer;
    },
    stop: async () => {
      child.kill("SIGTERM");
      return Number(/^points (\d+)$/m.exec(await ended)?.[1] ?? 0);
    },
  };
}

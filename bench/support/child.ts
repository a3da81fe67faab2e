import { fork, type ChildProcess } from "node:child_process";
import { extname } from "node:path";

/** A process of its own for one part of a bench: it answers each message with one message. */

export type Child = {
  readonly pid: number;
  ask<T>(message: unknown): Promise<T>;
  close(): Promise<void>;
  kill(): Promise<void>;
};

/** @param from import.meta.url of the caller: source and compiled modules have different endings
 *  @param name the module's name beside the caller */
export async function startChild(
  from: string,
  name: string,
  args: readonly string[] = [],
): Promise<Child> {
  const path = new URL(`./${name}${extname(from)}`, from);
  const child = fork(path, [...args], { serialization: "advanced", execArgv: execArgvOf(name) });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await nextMessage(child);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  return {
    pid: child.pid as number,
    ask: async <T>(message: unknown) => {
      const answer = nextMessage(child);
      child.send(message as object);
      return (await answer) as T;
    },
    close: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}

/** `STATEHIVE_BENCH_PROFILE=<directory>` leaves a CPU profile of each contender there. */
function execArgvOf(name: string): string[] {
  const directory = process.env["STATEHIVE_BENCH_PROFILE"];
  const profiled = directory !== undefined && (name.endsWith("contender") || name.endsWith("tui"));
  const profile = profiled ? ["--cpu-prof", `--cpu-prof-dir=${directory}`] : [];
  return [...process.execArgv.filter((arg) => !arg.startsWith("--cpu-prof")), ...profile];
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) =>
      reject(new Error(`a process of the bench ended with ${code} before it answered`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      const failure = (message as { readonly failure?: string }).failure;
      if (failure === undefined) resolve(message);
      else reject(new Error(failure));
    });
  });
}

/** The other side: says that it is ready, then answers. */
export function answerParent(answer: (message: unknown) => Promise<object>): void {
  process.on("SIGTERM", () => process.exit(0));
  process.on("message", (message) => {
    answer(message).then(
      (said) => process.send?.(said),
      (error: unknown) =>
        process.send?.({ failure: error instanceof Error ? error.stack : String(error) }),
    );
  });
  process.send?.({ ready: true });
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Connection, connect } from "../../src/client/connection.ts";
import { runPaths } from "../../src/config/run-paths.ts";
import { say } from "./say.ts";

/** The built service as a process of its own; killed and started again on one home. */
export type DemoService = {
  readonly connection: Connection;
  /** SIGKILL, then a new process on the same home. */
  killAndRestart(): Promise<Connection>;
  stop(): Promise<void>;
};

const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const patienceMs = 10_000;

export async function startService(home: string): Promise<DemoService> {
  const run = (command: string) =>
    spawn(process.execPath, [cli, command, "--home", home], {
      stdio: "ignore",
      env: quietEnvironment(),
    });
  await once(run("init"), "exit");
  let child = run("serve");
  const service = {
    connection: await reach(home, child),
    killAndRestart: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
      say(`kill -9 ${child.pid}: the service is gone`);
      child = run("serve");
      service.connection = await reach(home, child);
      return service.connection;
    },
    stop: async () => {
      service.connection.close();
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
  return service;
}

/** Without a key the offline model answers, also for somebody who has one. */
function quietEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { ...(PATH === undefined ? {} : { PATH }), ...(HOME === undefined ? {} : { HOME }) };
}

async function reach(home: string, child: ChildProcess): Promise<Connection> {
  const { socket } = runPaths(home, {});
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      const connection = await connect({ socketPath: socket });
      const { model, pid } = await connection.call("status", {});
      say(`The service runs as process ${pid}; ${model} answers`);
      return connection;
    } catch (error) {
      if (child.exitCode !== null || performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

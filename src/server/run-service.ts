import type { Reloaded } from "../app/config/live-config.ts";
import { createService, type Service, type ServiceOptions } from "../app/service.ts";
import { listen } from "./socket-server.ts";

/** A service that can be reached. `stopped` resolves when it has ended, whoever asked for it. */
export type RunningService = {
  readonly socketPath: string;
  readonly model: string;
  readonly log: Service["log"];
  readonly stopped: Promise<void>;
  /** As `Service.reload`. */
  reload(by: string): Promise<Reloaded>;
  /** Runs that a stop waits for. */
  working(): number;
  /** Said again with less time, it ends sooner. Those who listen hear what ends meanwhile. */
  stop(graceMs: number): Promise<void>;
};

/** @throws AgentError config.invalid (`details.faults`: a line each), engine.in_use, home.invalid, store.newer, store.corrupt,
 *  store.unavailable */
export async function runService(options: ServiceOptions): Promise<RunningService> {
  const service = await createService(options);
  const { promise: stopped, resolve: tellStopped } = deferred();
  const end = once(async () => {
    try {
      await server.close();
      await service.stop(0);
    } finally {
      tellStopped();
    }
  });
  const stop = async (graceMs: number) => {
    try {
      await service.drain(graceMs);
    } finally {
      await end();
    }
  };
  const server = await listen(
    service,
    (graceMs) =>
      void stop(graceMs).catch((error: unknown) =>
        service.log("error", "the stop failed", { error: String(error) }),
      ),
  ).catch(async (error: unknown) => {
    await service.stop(0);
    throw error;
  });
  const { paths, model, log, working, reload } = service;
  return { socketPath: paths.socket, model, log, stopped, working, stop, reload };
}

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let settle: () => void;
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: () => settle() };
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= run());
}

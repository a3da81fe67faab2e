import { createService, type Service, type ServiceOptions } from "../app/service.ts";
import { listen } from "./socket-server.ts";

/** A service that can be reached. `stopped` resolves when it has ended, whoever asked for it. */
export type RunningService = {
  readonly socketPath: string;
  readonly model: string;
  readonly stopped: Promise<void>;
  stop(graceMs: number): Promise<void>;
};

/** @throws AgentError config.invalid (`details.faults`: a line each), engine.in_use, home.invalid, store.newer, store.corrupt,
 *  store.unavailable */
export async function runService(options: ServiceOptions): Promise<RunningService> {
  const service = await createService(options);
  let resolveStopped = () => {};
  const stopped = new Promise<void>((resolve) => {
    resolveStopped = resolve;
  });
  const stop = once(async (graceMs: number) => {
    await server.close();
    await service.stop(graceMs);
    resolveStopped();
  });
  const server = await listen(service, (graceMs) => void stop(graceMs)).catch(
    async (error: unknown) => {
      await service.stop(0);
      throw error;
    },
  );
  return { socketPath: service.paths.socket, model: service.model, stopped, stop };
}

function once(run: (graceMs: number) => Promise<void>): (graceMs: number) => Promise<void> {
  let running: Promise<void> | undefined;
  return (graceMs) => (running ??= run(graceMs));
}

export type { Service };

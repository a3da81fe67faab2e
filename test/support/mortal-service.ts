import { type ServiceProcess, startServiceProcess } from "./service-process.ts";

/** A service that is killed and comes back on the same home. */
export type MortalService = {
  readonly present: ServiceProcess;
  /** How often it has died. */
  readonly deaths: number;
  /** Resolves when the next one is ready. */
  dieAndReturn(): Promise<void>;
};

export async function startMortalService(home: {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}): Promise<MortalService> {
  let present = await startServiceProcess(home);
  let deaths = 0;
  return {
    get present() {
      return present;
    },
    get deaths() {
      return deaths;
    },
    dieAndReturn: async () => {
      await present.kill();
      deaths += 1;
      present = await startServiceProcess(home);
    },
  };
}

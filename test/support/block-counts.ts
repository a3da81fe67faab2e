import { Session } from "node:inspector";

/** Work without a clock: how often V8 ran each block of our own code. What built-in functions do inside is not seen. */

type Coverage = {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
};

export type BlockCounter = {
  /** Also what ran since the last count.
   *  @param within counts blocks of files whose path holds this */
  count(work: () => unknown, within: string): number;
  close(): void;
};

export function createBlockCounter(): BlockCounter {
  const session = new Session();
  session.connect();
  const ask = (method: string, params: object = {}): unknown => {
    let answer: unknown;
    session.post(method, params, (error, result) => {
      if (error !== null) throw error;
      answer = result;
    });
    return answer;
  };
  ask("Profiler.enable");
  ask("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return {
    count: (work, within) => {
      work();
      const { result } = ask("Profiler.takePreciseCoverage") as Coverage;
      return result
        .filter(({ url }) => url.includes(within))
        .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
        .reduce((total, { count }) => total + count, 0);
    },
    close: () => {
      ask("Profiler.stopPreciseCoverage");
      ask("Profiler.disable");
      session.disconnect();
    },
  };
}

/** Time, given from outside: the engine, the machines and the policy have none of their own. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that only go forward; for measuring work, never stored. */
  monotonic(): number;
  /** Calls back once after `ms`; the returned function cancels. A waiting timer keeps no process alive. */
  after(ms: number, call: () => void): () => void;
};

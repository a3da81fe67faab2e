import type { Log } from "../ports/log.ts";

/** Whoever watches: told in order, after the fact; one that throws is no one else's concern. */
export class Listeners<A extends readonly unknown[]> {
  private readonly log: Log;
  private readonly listeners = new Set<(...args: A) => void>();

  constructor(log: Log) {
    this.log = log;
  }

  add(listener: (...args: A) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell(...args: A): void {
    for (const listener of this.listeners) {
      try {
        listener(...args);
      } catch (thrown) {
        this.log("error", "a listener failed", { error: String(thrown) });
      }
    }
  }
}

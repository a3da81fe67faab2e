/** Waits for what the server sees: looked at after each change, never by time. */
export type Waiting = {
  /** Something was sent, changed or answered. */
  changed(): void;
  /** The first value of `probe` that is not undefined, null or false. @throws after `withinMs` without one */
  until<T>(probe: () => T, options?: UntilOptions): Promise<Exclude<T, undefined | null | false>>;
};

export type UntilOptions = { readonly what?: string; readonly withinMs?: number };

export function createWaiting(describe: () => string): Waiting {
  const looks = new Set<() => void>();
  return {
    changed: () => {
      for (const look of looks) look();
    },
    until: (probe, { what = "what the test waits for", withinMs = 45_000 } = {}) =>
      new Promise((resolve, reject) => {
        const end = () => {
          looks.delete(look);
          clearTimeout(deadline);
        };
        const look = () => {
          try {
            const value = probe();
            if (value === undefined || value === null || value === false) return;
            end();
            resolve(value as never);
          } catch (error) {
            end();
            reject(error);
          }
        };
        const giveUp = () => {
          end();
          reject(new Error(`${what} did not come within ${withinMs} ms. ${describe()}`));
        };
        const deadline = setTimeout(giveUp, withinMs);
        looks.add(look);
        look();
      }),
  };
}

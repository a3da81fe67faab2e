import { numberIn, type Params, Refusal } from "./wire.ts";

/** Updates that wait until they are confirmed, and the long poll that waits for them. */

export type Update = { readonly update_id: number; readonly [field: string]: unknown };

export type Mangle = (batch: readonly Update[]) => readonly unknown[];

export type UpdateQueue = {
  /** @returns undefined if the bot did not ask for updates of this kind */
  push(fields: Params): Update | undefined;
  /** Brings an update again, whatever was confirmed. */
  again(update: Update): void;
  /** Numbers that are never used. */
  skip(count: number): void;
  readonly waiting: readonly Update[];
  /** All there ever were. */
  readonly all: readonly Update[];
  readonly isPolled: boolean;
  receive(params: Params, whenGone: Promise<void>): Promise<readonly unknown[]>;
  allow(kinds: unknown): void;
  remove(update: Update): void;
  drop(): void;
  /** Changes what the next answers that bring something say. */
  mangle(change: Mangle, times: number): void;
};

/** What comes unless it is asked for. */
const onlyWhenAsked = new Set(["chat_member", "message_reaction", "message_reaction_count"]);

/** Whoever asks for what lies farther ahead of the last number is answered from the first that waits, and confirms nothing. */
const farAhead = 10;

const terminated =
  "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";

type Poller = { wake(): void; end(): void };

export function createUpdateQueue(): UpdateQueue {
  let waiting: Update[] = [];
  const all: Update[] = [];
  let next = 100_000_001;
  let allowed: ReadonlySet<string> | undefined;
  let poller: Poller | undefined;
  let mangled: { readonly change: Mangle; left: number } | undefined;

  const confirm = (offset: number | undefined) => {
    if (offset === undefined || offset > next + farAhead) return;
    waiting = offset < 0 ? waiting.slice(offset) : waiting.filter((one) => one.update_id >= offset);
  };

  const take = (limit: number): readonly unknown[] => {
    const batch = waiting.slice(0, limit);
    if (mangled === undefined || batch.length === 0) return batch;
    const { change } = mangled;
    mangled.left -= 1;
    if (mangled.left <= 0) mangled = undefined;
    return change(batch);
  };

  const allow = (kinds: unknown) => {
    if (!Array.isArray(kinds)) return;
    allowed = kinds.length === 0 ? undefined : new Set(kinds.map(String));
  };

  const isAllowed = (fields: Params) =>
    Object.keys(fields).every(
      (kind) => kind === "update_id" || (allowed?.has(kind) ?? !onlyWhenAsked.has(kind)),
    );

  const wait = (limit: number, seconds: number, whenGone: Promise<void>) =>
    new Promise<readonly unknown[]>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        if (poller === mine) poller = undefined;
      };
      const answer = () => {
        leave();
        resolve(take(limit));
      };
      const timer = setTimeout(answer, seconds * 1000);
      const end = () => {
        leave();
        reject(new Refusal(409, terminated));
      };
      const mine: Poller = { wake: answer, end };
      poller = mine;
      const give = () => {
        leave();
        resolve([]);
      };
      void whenGone.then(give);
    });

  return {
    push: (fields) => {
      const update: Update = { update_id: next, ...fields };
      next = Number.isInteger(update.update_id) ? Math.max(next, update.update_id + 1) : next;
      if (!isAllowed(fields)) return undefined;
      waiting.push(update);
      all.push(update);
      poller?.wake();
      return update;
    },
    again: (update) => {
      waiting.push(update);
      poller?.wake();
    },
    skip: (count) => {
      next += count;
    },
    get waiting() {
      return waiting;
    },
    all,
    get isPolled() {
      return poller !== undefined;
    },
    receive: async (params, whenGone) => {
      poller?.end();
      allow(params["allowed_updates"]);
      confirm(numberIn(params, "offset"));
      const limit = numberIn(params, "limit") ?? 100;
      const seconds = numberIn(params, "timeout") ?? 0;
      if (waiting.length > 0 || seconds <= 0) return take(limit);
      return await wait(limit, seconds, whenGone);
    },
    allow,
    remove: (update) => {
      waiting = waiting.filter((one) => one !== update);
    },
    drop: () => {
      waiting = [];
    },
    mangle: (change, times) => {
      mangled = { change, left: times };
    },
  };
}

/** What duplicates and reorders. */
export const manglers = {
  twice: (batch) => batch.flatMap((update) => [update, update]),
  reversed: (batch) => batch.toReversed(),
} as const satisfies Record<string, Mangle>;

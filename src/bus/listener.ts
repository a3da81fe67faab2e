/** One that hears news. Each has a queue of its own, so that none is slowed, starved or harmed by another. */
export type Listener<N> = {
  /** Those of one name are counted together; names are few and fixed. */
  readonly name: string;
  /** News that may wait for it; when there are more, the oldest are dropped and counted. */
  readonly capacity: number;
  /** Which news it hears; all, where it is absent. Asked while they are published: it must be quick. */
  readonly wants?: (news: N) => boolean;
  /** One after the other: the next waits until this one's promise has settled. What it throws is counted, nothing else. */
  readonly hear: (news: N) => void | Promise<void>;
  /** Told before the next news that so many older ones are missing: what it has put together from pieces is torn. */
  readonly lagged?: (dropped: number) => void | Promise<void>;
};

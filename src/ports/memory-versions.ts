/** What the files of memory held earlier, by the SHA-256 of the contents; and changes that wait to be made. Apart from files of memory:
 *  nobody edits these. Rejects with AgentError `memory.unavailable` only. */
export type MemoryVersions = {
  /** @returns its hash */
  keep(content: Uint8Array): Promise<string>;
  /** Undefined: it is not kept (any more). */
  read(hash: string): Promise<Uint8Array | undefined>;
  remove(hash: string): Promise<void>;
  /** All kept ones. */
  list(): Promise<readonly KeptVersion[]>;
  /** Small JSON under a name of its own, replaced whole or not at all: how far a change has come, changes that are staged. */
  note(name: string, value: string): Promise<void>;
  noted(name: string): Promise<string | undefined>;
  forgetNote(name: string): Promise<void>;
  notes(): Promise<readonly KeptVersion[]>;
};

/** `hash`: or the name of a note. `kept_at`: the last time. `bytes`: of the disk. */
export type KeptVersion = {
  readonly hash: string;
  readonly kept_at: number;
  readonly bytes: number;
};

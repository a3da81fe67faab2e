import { OneAtATime } from "../../../adapters/turns/one-at-a-time.ts";
import { inShortTurns } from "../../../adapters/turns/short-turn.ts";
import { fileDocument, type ReadFile, versionOf } from "../../../memory/documents/file-document.ts";
import type { MemorySettings } from "../../../memory/settings.ts";
import type { Log } from "../../../ports/log.ts";
import type { MemoryFileEntry, MemoryFiles, SkippedFile } from "../../../ports/memory-files.ts";
import type { MemoryIndex } from "../../../ports/memory-index.ts";
import { toErrorData } from "../../../schema/errors.ts";

export type KeepIndexOptions = {
  readonly files: Pick<MemoryFiles, "list" | "read">;
  readonly index: MemoryIndex;
  readonly settings: MemorySettings;
  readonly log: Log;
};

/** What the index knows of a file: its contents, and what told them without reading it. */
type Known = { readonly version: string; readonly look: string };

/** What the index has of it nobody can say; it may be something. */
const uncertain: Known = { version: "", look: "" };

const filesAtOnce = 20;

const behind = "the index of memory is behind its files";

/** Keeps the index in step with the files, one file at a time and in the order asked. What fails is tried again at the next look. */
export class IndexKeeper {
  private readonly options: KeepIndexOptions;
  private readonly known = new Map<string, Known>();
  private readonly unread = new Map<string, string>();
  private readonly turns = new OneAtATime();
  private isKnown = false;
  private isClosed = false;

  constructor(options: KeepIndexOptions) {
    this.options = options;
  }

  /** Resolves when these files are found by what they hold now. Never rejects. */
  refresh(paths: readonly string[], why: "changed" | "forgotten" = "changed"): Promise<void> {
    return this.inTurn(async () => {
      if (why === "forgotten") await this.drop(paths);
      const gone: string[] = [];
      for (const path of paths) if ((await this.take(path)) === null) gone.push(path);
      await this.drop(gone);
    });
  }

  /** Those of them that are not there any more are not found either. Never rejects. */
  removeGone(paths: readonly string[]): Promise<void> {
    return this.inTurn(async () => {
      const there = new Set((await this.options.files.list()).files.map(({ path }) => path));
      await this.drop(paths.filter((path) => !there.has(path)));
    });
  }

  /** Looks at every file, a few at a time, so that nobody who wants one found waits for all.
   *  @returns the contents of those that are not as they were, by their hash; null: it is gone */
  async scan(): Promise<ReadonlyMap<string, string | null>> {
    const different = new Map<string, string | null>();
    let entries: readonly MemoryFileEntry[] = [];
    await this.inTurn(async () => {
      await this.learn().catch((thrown: unknown) => this.complain(behind, thrown)); // what people saved is told all the same
      const { files, skipped } = await this.options.files.list();
      entries = files;
      const there = new Set(files.map(({ path }) => path));
      await this.drop(skipped.map(({ path }) => path));
      const gone = [...this.known.keys(), ...this.unread.keys()].filter((path) => !there.has(path));
      await this.drop(gone);
      for (const path of gone) different.set(path, (await this.take(path)) ?? null);
    });
    for (let at = 0; at < entries.length; at += filesAtOnce)
      await this.inTurn(async () => {
        const some = entries.slice(at, at + filesAtOnce);
        for (const entry of some) await this.lookAt(entry, different);
        const gone = some.filter(({ path }) => different.get(path) === null);
        await this.drop(gone.map(({ path }) => path));
      });
    return different;
  }

  /** Begins the index anew; the next scan fills it. @throws AgentError index.unavailable */
  rebuild(): Promise<void> {
    return this.turns.run(async () => {
      if (this.isClosed) return;
      this.known.clear();
      this.isKnown = false; // where it fails, nobody knows what is left of it
      await this.options.index.clear();
    });
  }

  /** Files that were looked at and are not found by what they hold, and why. */
  skipped(): readonly SkippedFile[] {
    const unread = [...this.unread].map(([path, reason]) => ({ path, reason }));
    return unread.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.turns.idle();
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    return this.turns.run(async () => {
      if (this.isClosed) return;
      try {
        await work();
      } catch (thrown) {
        this.complain(behind, thrown);
      }
    });
  }

  private async learn(): Promise<void> {
    if (this.isKnown) return;
    for (const { path, version, kind } of await this.options.index.documents())
      if (kind === "memory") this.known.set(path, { version, look: "" });
    this.isKnown = true;
  }

  private async lookAt(
    { path, bytes, changed_at }: MemoryFileEntry,
    different: Map<string, string | null>,
  ): Promise<void> {
    if (this.isClosed) return;
    const look = `${bytes} ${changed_at}`;
    if (this.known.get(path)?.look === look) return;
    const hash = await this.take(path, look);
    if (hash !== undefined) different.set(path, hash);
  }

  /** @returns the hash of what it holds, also where the index does not take it; null: it is gone, and to be dropped; undefined where
   *  that cannot be said */
  private async take(path: string, look = ""): Promise<string | null | undefined> {
    let hash: string | undefined;
    try {
      const found = await this.options.files.read(path);
      if (found === undefined) return null;
      hash = found.hash;
      await this.put({ ...found, path }, look);
    } catch (thrown) {
      const { code, message } = toErrorData(thrown);
      if (code === "memory.refused") await this.drop([path]); // what it was is no memory any more
      else this.known.set(path, uncertain);
      this.unread.set(path, message.startsWith(path) ? `it${message.slice(path.length)}` : message);
      this.complain("a file of memory could not be taken into the index", thrown, path);
    }
    return hash;
  }

  private async put({ path, hash, content }: ReadFile, look: string): Promise<void> {
    const { index, settings } = this.options;
    await this.learn();
    const version = versionOf(hash, settings);
    if (this.known.get(path)?.version === version) {
      this.known.set(path, { version, look });
      return;
    }
    const readable = fileDocument({ path, hash, content }, settings);
    if ("skipped" in readable) {
      await this.drop([path]);
      this.unread.set(path, readable.skipped);
      return;
    }
    const chunks = await inShortTurns(readable.chunks);
    await index.put({ ...readable.document, chunks });
    this.unread.delete(path);
    this.known.set(path, { version, look });
  }

  /** All at once: the index takes hardly longer for many than for one. Never rejects. */
  private async drop(paths: readonly string[]): Promise<void> {
    try {
      await this.learn();
      const indexed = paths.filter((path) => this.known.has(path));
      for (const path of indexed) this.known.set(path, uncertain);
      if (indexed.length > 0) await this.options.index.remove(indexed);
      for (const path of indexed) this.known.delete(path);
      for (const path of paths) this.unread.delete(path);
    } catch (thrown) {
      this.complain(behind, thrown);
    }
  }

  private complain(what: string, thrown: unknown, path?: string): void {
    const { code, message } = toErrorData(thrown);
    if (code === "index.closed") return;
    this.options.log("warn", what, { code, message, ...(path === undefined ? {} : { path }) });
  }
}

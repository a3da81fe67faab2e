import type {
  MemoryFileBytes,
  MemoryFileList,
  MemoryFiles,
  Replaced,
} from "../../ports/memory-files.ts";
import { AgentError } from "../../schema/errors.ts";
import { relativePath } from "../../schema/relative-path.ts";
import { hashOf } from "./content-hash.ts";

/** Files of memory in memory, for tests and for homes that keep nothing. */
export type FakeMemoryFiles = MemoryFiles & {
  /** As an editor does, behind the service's back; null: deletes it. */
  edit(path: string, content: string | Uint8Array | null): void;
  text(path: string): string | undefined;
  /** Called between the staging of a change and its taking of the file's place. */
  meanwhile: (() => void) | undefined;
  /** What an editor that had opened the next replaced file before writes into what it was. */
  late: string | undefined;
  /** Waiting stagings. */
  staged(): readonly string[];
};

type Held = { readonly content: Uint8Array; readonly modified_at: number };

export function createFakeMemoryFiles(
  initial: Readonly<Record<string, string | Uint8Array>> = {},
): FakeMemoryFiles {
  const files = new FilesInMemory();
  for (const [path, content] of Object.entries(initial)) files.edit(path, content);
  return files;
}

class FilesInMemory implements FakeMemoryFiles {
  meanwhile: (() => void) | undefined;
  late: string | undefined;
  private readonly held = new Map<string, Held>();
  private readonly stagings = new Map<string, Uint8Array>();
  private readonly watchers = new Set<(path: string | null) => void>();
  private count = 0;

  async list(): Promise<MemoryFileList> {
    const files = [...this.held].map(([path, { content, modified_at }]) => {
      return { path, bytes: content.length, modified_at, changed_at: modified_at };
    });
    return { files: files.toSorted((one, other) => (one.path < other.path ? -1 : 1)), skipped: [] };
  }

  async read(path: string): Promise<MemoryFileBytes | undefined> {
    const content = this.held.get(checked(path))?.content;
    if (content === undefined) return undefined;
    return { bytes: content.length, content, hash: hashOf(content) };
  }

  async stage(path: string, content: Uint8Array): Promise<string> {
    this.count += 1;
    const name = `staged-${this.count}`;
    this.stagings.set(keyOf(checked(path), name), content);
    return name;
  }

  async isStaged(path: string, name: string): Promise<boolean> {
    return this.stagings.has(keyOf(path, name));
  }

  async discard(path: string, name: string): Promise<void> {
    this.stagings.delete(keyOf(path, name));
  }

  async replace(path: string, { name, expected }: Staged): Promise<Replaced> {
    const { meanwhile } = this;
    this.meanwhile = undefined;
    meanwhile?.();
    const content = this.stagings.get(keyOf(path, name));
    if (content === undefined || this.hashNow(path) !== expected) return { isDone: false };
    this.stagings.delete(keyOf(path, name));
    this.edit(path, content);
    const { late } = this;
    this.late = undefined;
    return late === undefined ? { isDone: true } : { isDone: true, late: bytesOf(late) };
  }

  async remove(path: string, expected: string): Promise<boolean> {
    if (this.hashNow(path) !== expected) return false;
    this.edit(path, null);
    return true;
  }

  async tidy(kept: ReadonlySet<string>): Promise<void> {
    for (const key of this.stagings.keys())
      if (!kept.has(key.slice(key.indexOf("\0") + 1))) this.stagings.delete(key);
  }

  async watch(changed: (path: string | null) => void): Promise<() => Promise<void>> {
    this.watchers.add(changed);
    return async () => void this.watchers.delete(changed);
  }

  edit(path: string, content: string | Uint8Array | null): void {
    this.count += 1;
    if (content === null) this.held.delete(path);
    else this.held.set(path, { content: bytesOf(content), modified_at: this.count });
    for (const changed of this.watchers) changed(path);
  }

  text(path: string): string | undefined {
    const content = this.held.get(path)?.content;
    return content === undefined ? undefined : new TextDecoder().decode(content);
  }

  staged(): readonly string[] {
    return [...this.stagings.keys()];
  }

  private hashNow(path: string): string | null {
    const content = this.held.get(path)?.content;
    return content === undefined ? null : hashOf(content);
  }
}

type Staged = { readonly name: string; readonly expected: string | null };

const keyOf = (path: string, name: string) => `${path}\0${name}`;

function checked(path: string): string {
  const found = relativePath(path);
  if (found.ok && found.path === path && path !== ".") return path;
  throw new AgentError("memory.refused", `${path} is no path of a file of memory.`);
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

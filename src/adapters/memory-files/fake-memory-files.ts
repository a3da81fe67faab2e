import { createHash } from "node:crypto";
import type { MemoryFiles } from "../../ports/memory-files.ts";
import { AgentError } from "../../schema/errors.ts";
import { relativePath } from "../../schema/relative-path.ts";

/** Files of memory in memory, for tests and for homes that keep nothing. */
export type FakeMemoryFiles = MemoryFiles & {
  /** As an editor does, behind the service's back; null: deletes it. */
  edit(path: string, content: string | Uint8Array | null): void;
  text(path: string): string | undefined;
  /** Called between the staging of a change and its taking of the file's place. */
  meanwhile: (() => void) | undefined;
  /** Waiting stagings. */
  staged(): readonly string[];
};

type Held = { readonly content: Uint8Array; readonly modified_at: number };

export function createFakeMemoryFiles(
  initial: Readonly<Record<string, string | Uint8Array>> = {},
): FakeMemoryFiles {
  const files = new Map<string, Held>();
  const stagings = new Map<string, Uint8Array>();
  const watchers = new Set<(path: string | null) => void>();
  let count = 0;
  const put = (path: string, content: Uint8Array) => {
    count += 1;
    files.set(path, { content, modified_at: count });
  };
  const gone = (path: string) => void files.delete(path);
  const told = (path: string) => {
    for (const changed of watchers) changed(path);
  };
  const hashNow = (path: string) => {
    const held = files.get(path);
    return held === undefined ? null : sha256(held.content);
  };
  for (const [path, content] of Object.entries(initial)) put(path, bytesOf(content));
  const fake: FakeMemoryFiles = {
    meanwhile: undefined,
    list: () =>
      Promise.resolve({
        files: [...files]
          .map(([path, held]) => ({
            path,
            bytes: held.content.length,
            modified_at: held.modified_at,
          }))
          .toSorted((one, other) => (one.path < other.path ? -1 : 1)),
        skipped: [],
      }),
    read: async (path) => {
      const content = files.get(checked(path))?.content;
      if (content === undefined) return undefined;
      return { bytes: content.length, content, hash: sha256(content) };
    },
    stage: async (path, content) => {
      count += 1;
      const name = `staged-${count}`;
      stagings.set(`${checked(path)}\0${name}`, content);
      return name;
    },
    isStaged: async (path, name) => stagings.has(`${path}\0${name}`),
    discard: async (path, name) => void stagings.delete(`${path}\0${name}`),
    replace: async (path, { name, expected }) => {
      const meanwhile = fake.meanwhile;
      fake.meanwhile = undefined;
      meanwhile?.();
      const content = stagings.get(`${path}\0${name}`);
      if (content === undefined || hashNow(path) !== expected) return false;
      stagings.delete(`${path}\0${name}`);
      put(path, content);
      told(path);
      return true;
    },
    remove: async (path, expected) => {
      if (hashNow(path) !== expected) return false;
      gone(path);
      told(path);
      return true;
    },
    tidy: async (kept) => {
      for (const key of stagings.keys())
        if (!kept.has(key.slice(key.indexOf("\0") + 1))) stagings.delete(key);
    },
    watch: async (changed) => {
      watchers.add(changed);
      return async () => void watchers.delete(changed);
    },
    edit: (path, content) => {
      if (content === null) gone(path);
      else put(path, bytesOf(content));
      told(path);
    },
    text: (path) => {
      const content = files.get(path)?.content;
      return content === undefined ? undefined : new TextDecoder().decode(content);
    },
    staged: () => [...stagings.keys()],
  };
  return fake;
}

function checked(path: string): string {
  const found = relativePath(path);
  if (found.ok && found.path === path && path !== ".") return path;
  throw new AgentError("memory.refused", `${path} is no path of a file of memory.`);
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

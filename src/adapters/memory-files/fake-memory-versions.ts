import type { MemoryVersions } from "../../ports/memory-versions.ts";
import { hashOf } from "./content-hash.ts";

/** Versions in memory. @param now milliseconds, for when something was kept */
export function createFakeMemoryVersions(now: () => number = () => 0): MemoryVersions {
  const versions = new Map<string, { content: Uint8Array; kept_at: number }>();
  const notes = new Map<string, { value: string; kept_at: number }>();
  return {
    keep: async (content) => {
      const hash = hashOf(content);
      versions.set(hash, { content, kept_at: now() });
      return hash;
    },
    read: async (hash) => versions.get(hash)?.content,
    remove: async (hash) => void versions.delete(hash),
    list: async () =>
      [...versions].map(([hash, { kept_at, content }]) => {
        return { hash, kept_at, bytes: content.length };
      }),
    note: async (name, value) => void notes.set(name, { value, kept_at: now() }),
    noted: async (name) => notes.get(name)?.value,
    forgetNote: async (name) => void notes.delete(name),
    notes: async () =>
      [...notes].map(([hash, { kept_at, value }]) => ({ hash, kept_at, bytes: value.length })),
  };
}

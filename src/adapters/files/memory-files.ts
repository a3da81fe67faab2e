import type { FileEntry, FileList, Files, ListLimits } from "../../ports/files.ts";
import { notFound, refused, segmentsOf } from "./file-errors.ts";
import { byPath } from "./path-order.ts";

type Node = { readonly bytes: Uint8Array } | "directory";

/** Where a tree without links can differ from the asked path: a file in the middle. */
function checkParents(nodes: ReadonlyMap<string, Node>, segments: readonly string[]): void {
  for (let count = 1; count < segments.length; count += 1) {
    const parent = segments.slice(0, count).join("/");
    const node = nodes.get(parent);
    if (node !== undefined && node !== "directory") throw refused(parent, "it is not a directory");
  }
}

function nodeAt(nodes: ReadonlyMap<string, Node>, path: string): Node {
  const segments = segmentsOf(path);
  checkParents(nodes, segments);
  const node = segments.length === 0 ? "directory" : nodes.get(segments.join("/"));
  if (node === undefined) throw notFound(path);
  return node;
}

function bytesAt(nodes: ReadonlyMap<string, Node>, path: string): Uint8Array {
  const node = nodeAt(nodes, path);
  if (node === "directory") throw refused(path, "it is a directory");
  return node.bytes;
}

function put(nodes: Map<string, Node>, path: string, bytes: Uint8Array): boolean {
  const segments = segmentsOf(path);
  const normal = segments.join("/");
  checkParents(nodes, segments);
  if (normal === "" || nodes.get(normal) === "directory") throw refused(path, "it is a directory");
  for (let count = 1; count < segments.length; count += 1)
    nodes.set(segments.slice(0, count).join("/"), "directory");
  const created = !nodes.has(normal);
  nodes.set(normal, { bytes: bytes.slice() });
  return created;
}

function listAt(nodes: ReadonlyMap<string, Node>, path: string, limits: ListLimits): FileList {
  if (nodeAt(nodes, path) !== "directory") throw refused(path, "it is not a directory");
  const top = segmentsOf(path);
  const level = (entry: FileEntry) => entry.path.split("/").length - top.length;
  const below = [...nodes]
    .filter(([name]) => top.length === 0 || name.startsWith(`${top.join("/")}/`))
    .map(([name, node]): FileEntry => {
      return node === "directory"
        ? { path: name, kind: "directory", size: 0 }
        : { path: name, kind: "file", size: node.bytes.length };
    })
    .filter((entry) => level(entry) <= limits.depth)
    .toSorted((left, right) => level(left) - level(right) || byPath(left, right));
  const entries = below.slice(0, limits.maxEntries).toSorted(byPath);
  return { entries, omitted: below.length - entries.length, omittedAtLeast: false };
}

/** Files in memory, for tests and for agents without a workspace. @param initial content by path */
export function createMemoryFiles(
  initial: Readonly<Record<string, string | Uint8Array>> = {},
): Files {
  const nodes = new Map<string, Node>();
  for (const [path, content] of Object.entries(initial)) {
    put(nodes, path, typeof content === "string" ? new TextEncoder().encode(content) : content);
  }
  return {
    async stat(path) {
      const node = nodeAt(nodes, path);
      return node === "directory"
        ? { kind: "directory", size: 0, modifiedMs: 0 }
        : { kind: "file", size: node.bytes.length, modifiedMs: 0 };
    },
    async read(path, { position = 0, maxBytes }) {
      const bytes = bytesAt(nodes, path);
      return { bytes: bytes.slice(position, position + maxBytes), size: bytes.length };
    },
    async *chunks(path) {
      const bytes = bytesAt(nodes, path);
      if (bytes.length > 0) yield bytes.slice();
    },
    async list(path, limits) {
      return listAt(nodes, path, limits);
    },
    async write(path, content) {
      return { created: put(nodes, path, content), bytes: content.length };
    },
    async remove(path) {
      bytesAt(nodes, path);
      nodes.delete(segmentsOf(path).join("/"));
    },
  };
}

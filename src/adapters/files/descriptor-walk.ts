import type { Stats } from "node:fs";
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { mkdir, open, statfs } from "node:fs/promises";
import { errnoOf } from "../../schema/errno.ts";
import { refused } from "./file-errors.ts";

/** Reaches a file one component at a time, each opened below the descriptor of the one before (what openat does), so that
 *  a directory swapped with a link leads nowhere. Source: docs/decisions/0005-files-opened-component-by-component.md */

/** Names an object without opening it: no device wakes, no FIFO waits. The number is the same on all of Node's Linuxes. */
const O_PATH = 0o10000000;
export const namesOnly = O_PATH | constants.O_NOFOLLOW;

/** proc, sysfs, debugfs, tracefs, cgroup, cgroup2, securityfs: their regular files are the kernel's. */
export const kernelFileSystems: ReadonlySet<number> = new Set([
  0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x27e0eb, 0x63677270, 0x73636673,
]);

export type Pinned = { readonly handle: FileHandle; readonly stat: Stats };

/** A way to an object that its descriptor pins, whatever happens to its name. */
export function pathOf(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}

export async function isKernelFileSystem(path: string): Promise<boolean> {
  return kernelFileSystems.has((await statfs(path)).type);
}

async function examine(handle: FileHandle): Promise<Pinned> {
  try {
    return { handle, stat: await handle.stat() };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/** Pins what `name` is in `parent` at this moment; a link is pinned as the link that it is. */
async function pin(parent: FileHandle, name: string): Promise<Pinned> {
  return examine(await open(`${pathOf(parent)}/${name}`, namesOnly));
}

/** Why nothing may be read through this; undefined for a directory and for a plain file. */
export function faultOf(stat: Stats): string | undefined {
  if (stat.isDirectory()) return undefined;
  if (stat.isSymbolicLink()) return "it is a symbolic link";
  if (!stat.isFile()) return "it is a pipe, a socket or a device";
  return stat.nlink > 1 ? "it has more than one hard link" : undefined;
}

async function faultWhereMounted(
  pinned: Pinned,
  parentDevice: number,
): Promise<string | undefined> {
  if (pinned.stat.dev === parentDevice) return undefined;
  return (await isKernelFileSystem(pathOf(pinned.handle))) ? "it is the kernel's" : undefined;
}

/** Pins a directory or a plain file. @param shown the path for messages */
export async function pinChild(parent: Pinned, name: string, shown: string): Promise<Pinned> {
  const child = await pin(parent.handle, name);
  try {
    const fault = faultOf(child.stat) ?? (await faultWhereMounted(child, parent.stat.dev));
    if (fault !== undefined) throw refused(shown, fault);
    return child;
  } catch (thrown) {
    await child.handle.close();
    throw thrown;
  }
}

async function enter(parent: Pinned, name: string, shown: string): Promise<Pinned> {
  const child = await pinChild(parent, name, shown);
  if (child.stat.isDirectory()) return child;
  await child.handle.close();
  throw refused(shown, "it is not a directory");
}

async function enterOrCreate(parent: Pinned, name: string, shown: string): Promise<Pinned> {
  try {
    return await enter(parent, name, shown);
  } catch (thrown) {
    if (errnoOf(thrown) !== "ENOENT") throw thrown;
  }
  await mkdir(`${pathOf(parent.handle)}/${name}`, 0o700).catch((thrown: unknown) => {
    if (errnoOf(thrown) !== "EEXIST") throw thrown;
  });
  return enter(parent, name, shown);
}

/** Opens the directory at `segments` below `root`. @param root must not be a link itself @returns for the caller to close */
export async function openDirectory(
  root: string,
  segments: readonly string[],
  missing: "refuse" | "create",
): Promise<Pinned> {
  const step = missing === "create" ? enterOrCreate : enter;
  let here = await examine(await open(root, namesOnly | constants.O_DIRECTORY));
  for (const [index, name] of segments.entries()) {
    const parent = here;
    try {
      here = await step(parent, name, segments.slice(0, index + 1).join("/"));
    } finally {
      await parent.handle.close();
    }
  }
  return here;
}

import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  type Stats,
  statfsSync,
} from "node:fs";
import { AgentError } from "../../schema/errors.ts";
import { faultOf, kernelFileSystems, namesOnly } from "./descriptor-walk.ts";
import { fileError, notFound, refused, segmentsOf } from "./file-errors.ts";

/** A small file, read at once and whole, by the walk of descriptor-walk.ts: for what must be known in the middle of a step. */

type Place = { readonly descriptor: number; readonly stat: Stats };

export type WholeFile = { readonly bytes: Uint8Array; readonly isExecutable: boolean };

/** @throws AgentError as the port's operations (ports/files.ts) */
export function wholeFileNow(root: string, path: string, maxBytes: number): WholeFile {
  try {
    const place = walk(root, path);
    try {
      return contentOf(place, path, maxBytes);
    } finally {
      closeSync(place.descriptor);
    }
  } catch (thrown) {
    throw fileError(path, thrown);
  }
}

/** @returns for the caller to close */
function walk(root: string, path: string): Place {
  const segments = segmentsOf(path);
  let here = placeAt(openSync(root, namesOnly | constants.O_DIRECTORY));
  for (const name of segments) here = step(here, name, path);
  return here;
}

/** Leaves `from` closed. */
function step(from: Place, name: string, path: string): Place {
  try {
    const next = placeAt(openSync(`/proc/self/fd/${from.descriptor}/${name}`, namesOnly));
    const fault = faultOf(next.stat) ?? faultWhereMounted(next, from);
    if (fault === undefined) return next;
    closeSync(next.descriptor);
    throw refused(path, fault);
  } finally {
    closeSync(from.descriptor);
  }
}

function placeAt(descriptor: number): Place {
  return { descriptor, stat: fstatSync(descriptor) };
}

function faultWhereMounted({ descriptor, stat }: Place, from: Place): string | undefined {
  if (stat.dev === from.stat.dev) return undefined;
  const { type } = statfsSync(`/proc/self/fd/${descriptor}`);
  return kernelFileSystems.has(type) ? "it is the kernel's" : undefined;
}

function contentOf({ descriptor, stat }: Place, path: string, maxBytes: number): WholeFile {
  if (stat.isDirectory()) throw notFound(path);
  const file = openSync(`/proc/self/fd/${descriptor}`, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { bytes: readAll(file, path, maxBytes), isExecutable: (stat.mode & 0o111) !== 0 };
  } finally {
    closeSync(file);
  }
}

function readAll(file: number, path: string, maxBytes: number): Uint8Array {
  const buffer = Buffer.alloc(Math.min(fstatSync(file).size, maxBytes) + 1);
  let filled = 0;
  while (filled < buffer.length) {
    const count = readSync(file, buffer, filled, buffer.length - filled, filled);
    if (count === 0) return buffer.subarray(0, filled);
    filled += count;
  }
  throw new AgentError("file.refused", `${path} is larger than ${maxBytes} bytes or still grows.`);
}

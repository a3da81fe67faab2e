import { closeSync, openSync, readdirSync, readSync, type Dirent } from "node:fs";
import { join } from "node:path";

/** Secrets that every process of the tests finds in its environment, and where they were found that nobody put them. */

/** Stands in each of them and in no other text, this file included. */
const mark = ["Xq7ZmV2n", "T9wLk4Rb"].join("");

const names = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "TG_MAIN_TOKEN", "AWS_SECRET_ACCESS_KEY"];

/** None of them opens anything. */
export const canaries: { readonly [name: string]: string } = Object.fromEntries(
  names.map((name, index) => [name, `sk-ant-${index}/${mark}+canary=`]),
);

/** As text or a URL holds it, in hexadecimal, and in base64 whatever stands before it. */
const forms: readonly Buffer[] = [
  mark,
  Buffer.from(mark).toString("hex"),
  Buffer.from(mark).toString("hex").toUpperCase(),
  ...["", "x", "xx"].map((before) => base64Core(before)),
].map((form) => Buffer.from(form));

/** The characters that depend on the mark alone. */
function base64Core(before: string): string {
  const first = Math.ceil((before.length * 8) / 6);
  const end = Math.floor(((before.length + mark.length) * 8) / 6);
  return Buffer.from(before + mark)
    .toString("base64")
    .slice(first, end);
}

function holdsCanary(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return forms.some((form) => buffer.includes(form));
}

/** @throws when what a process printed holds one */
export function refuseCanaries(what: string, text: string): void {
  if (holdsCanary(Buffer.from(text))) throw new Error(`${what} shows a secret: ${text}`);
}

const scannedBytes = 32 * 1024 * 1024;
const block = Buffer.alloc(scannedBytes);

/** The regular files below a directory of which the first 32 MiB, or the name, hold one; what goes meanwhile is passed over. */
export function filesWithCanaries(directory: string): string[] {
  return entriesBelow(directory)
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(
      ({ entry, path }) => holdsCanary(Buffer.from(path)) || (entry.isFile() && fileHolds(path)),
    )
    .map(({ path }) => path);
}

function entriesBelow(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry, ...entriesBelow(join(directory, entry.name))] : [entry],
    );
  } catch (error) {
    return passOver(error, []);
  }
}

function fileHolds(path: string): boolean {
  try {
    const file = openSync(path, "r");
    try {
      return holdsCanary(block.subarray(0, readSync(file, block, 0, scannedBytes, 0)));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return passOver(error, false);
  }
}

function passOver<Result>(error: unknown, result: Result): Result {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP"].includes(code)) return result;
  throw error;
}

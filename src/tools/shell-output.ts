import type { Files } from "../ports/files.ts";
import type { SandboxEnd, SandboxOutput } from "../ports/sandbox.ts";
import { outputDirectory } from "./kept-outputs.ts";
import { AgentError } from "../schema/errors.ts";

/** What a model is told of a program's end and output; what is too long for that is left in a file. */

const maxShownBytes = 30_000;
const shownStartBytes = 12_000;
const continuation = 0b1000_0000;
const topBits = 0b1100_0000;

/** Where the output of a call is kept when it is not shown whole. */
export function outputPath(callName: string): string {
  return `${outputDirectory}/${callName}.txt`;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Whole characters only, at either end. */
function startOf(bytes: Uint8Array): Uint8Array {
  let end = shownStartBytes;
  while (end > 0 && ((bytes[end] ?? 0) & topBits) === continuation) end -= 1;
  return bytes.subarray(0, end);
}

function endOf(bytes: Uint8Array): Uint8Array {
  let start = Math.max(0, bytes.length - (maxShownBytes - shownStartBytes));
  while (start < bytes.length && ((bytes[start] ?? 0) & topBits) === continuation) start += 1;
  return bytes.subarray(start);
}

/** @returns where it is, in words */
async function keep(output: SandboxOutput, path: string, files: Files): Promise<string> {
  const isWhole = output.totalBytes === output.start.length;
  const what = isWhole ? "the whole output is" : `its first ${output.start.length} bytes are`;
  try {
    await files.write(path, output.start);
    return `${what} in ${path}`;
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown;
    return `the rest could not be kept: ${thrown.message}`;
  }
}

/** The output, or its start and its end with a word about what lies between. */
export async function shownOutput(
  output: SandboxOutput,
  path: string,
  files: Files,
): Promise<string> {
  if (output.totalBytes <= maxShownBytes) return decode(output.start);
  const start = startOf(output.start);
  const end = endOf(output.end.length === 0 ? output.start : output.end);
  const omitted = output.totalBytes - start.length - end.length;
  const where = await keep(output, path, files);
  return `${decode(start)}\n\n[${omitted} bytes are not shown; ${where}]\n\n${decode(end)}`;
}

/** The names of the signals that end programs most often. */
const signals: Readonly<Record<number, string>> = {
  129: "SIGHUP",
  130: "SIGINT",
  131: "SIGQUIT",
  132: "SIGILL",
  134: "SIGABRT",
  135: "SIGBUS",
  136: "SIGFPE",
  137: "SIGKILL",
  139: "SIGSEGV",
  141: "SIGPIPE",
  143: "SIGTERM",
  152: "SIGXCPU",
  153: "SIGXFSZ",
};

/** How it ended, for the last line of the result. */
export function endNote(end: SandboxEnd, timeoutMs: number): string {
  const rest = "it was killed; what it had done by then stays";
  switch (end.kind) {
    case "exited": {
      const signal = signals[end.code];
      return `exit code ${end.code}${signal === undefined ? "" : `, as after ${signal}`}`;
    }
    case "timed_out":
      return `it ran longer than ${timeoutMs} ms: ${rest}`;
    case "over_limit":
      return `it used more than ${end.limit}: ${rest}`;
    case "killed":
      return `it was ended from outside by ${end.signal}; what it had done by then stays`;
  }
}

import { AgentError, toErrorData } from "../schema/errors.ts";
import type { ToolOutput } from "../schema/tool.ts";
import { outputDirectory } from "./kept-outputs.ts";
import { withoutLongLines } from "./long-lines.ts";
import { looksBinary } from "./looks-binary.ts";
import type { ToolContext } from "./tool.ts";

/** What a model is shown of an output; what is too long for that is left in a file, which file_read reads in portions. */

const maxShownBytes = 30_000;
const shownStartBytes = 12_000;
const continuation = 0b1000_0000;
const topBits = 0b1100_0000;

/** More than the largest window of file_read; a tool that cuts its own output stays below. */
const maxCharacters = 120_000;
const maxErrorCharacters = 4_000;
const maxKeptBytes = 16 * 1024 * 1024;

/** The longest line that file_read shows whole, in characters; one character has at least one byte. */
export const readableLine = 2_000;

/** An output as bytes: its first ones, and its last ones where those are not among the first. */
export type LongOutput = {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  readonly totalBytes: number;
};

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

export type Keeping = Pick<ToolContext, "files" | "callName" | "redactStream">;

const pieceBytes = 256 * 1024;

/** Before anything is cut: half of a secret is not known for one. */
async function withoutSecrets(output: LongOutput, keeping: Keeping): Promise<LongOutput> {
  const start = await redacted(output.start, keeping);
  const end = await redacted(output.end, keeping);
  const kept = start.length + end.length - output.start.length - output.end.length;
  return { start, end, totalBytes: output.totalBytes + kept };
}

/** Secrets are ASCII, so that bytes of any encoding can be read as Latin-1. Others get their turn between two pieces. */
async function redacted(bytes: Uint8Array, { redactStream }: Keeping): Promise<Uint8Array> {
  const stream = redactStream();
  const told: Buffer[] = [];
  const tell = (text: string) => void told.push(Buffer.from(text, "latin1"));
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    const piece = bytes.subarray(from, from + pieceBytes);
    tell(stream.push(Buffer.from(piece).toString("latin1")));
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  tell(stream.end());
  return Buffer.concat(told);
}

/** @returns where it is, in words */
async function keep(output: LongOutput, { files, callName }: Keeping): Promise<string> {
  const path = outputPath(callName);
  const isWhole = output.totalBytes === output.start.length;
  const what = isWhole ? "the whole output is" : `its first ${output.start.length} bytes are`;
  const isText = !looksBinary(output.start);
  const kept = isText ? withoutLongLines(output.start, readableLine) : output.start;
  const isChanged = kept.length > output.start.length;
  try {
    await files.write(path, kept);
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown;
    return `the rest could not be kept: ${thrown.message}`;
  }
  if (!isText) return `${what} in ${path}`;
  const how = isChanged ? `, its lines broken after ${readableLine} bytes` : "";
  return `${what} in ${path}${how}; file_read reads it in portions, with offset and limit`;
}

/** The output, or its start and its end with a word about what lies between. */
export async function shownOutput(whole: LongOutput, keeping: Keeping): Promise<string> {
  if (whole.totalBytes <= maxShownBytes) return decode(whole.start);
  const output = await withoutSecrets(whole, keeping);
  if (output.totalBytes <= maxShownBytes) return decode(output.start);
  const where = await keep(output, keeping);
  if (looksBinary(output.start))
    return `[${output.totalBytes} bytes that are no text are not shown; ${where}]`;
  const start = startOf(output.start);
  const end = endOf(output.end.length === 0 ? output.start : output.end);
  const omitted = output.totalBytes - start.length - end.length;
  return `${decode(start)}\n\n[${omitted} bytes are not shown; ${where}]\n\n${decode(end)}`;
}

export async function shownText(text: string, keeping: Keeping): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const none = new Uint8Array();
  const isKeepable = bytes.length <= maxKeptBytes;
  const start = isKeepable ? bytes : bytes.subarray(0, maxKeptBytes);
  const end = isKeepable ? none : bytes.subarray(-maxShownBytes);
  return shownOutput({ start, end, totalBytes: bytes.length }, keeping);
}

/** Whatever a tool answers: no output floods a conversation, whoever wrote the tool. */
export async function boundedOutput(
  work: Promise<ToolOutput>,
  keeping: Keeping,
): Promise<ToolOutput> {
  const { output, is_error } = await work.catch((thrown: unknown) => {
    throw boundedError(thrown, keeping);
  });
  if (output.length <= maxCharacters) return { output, is_error };
  return { output: await shownText(output, keeping), is_error };
}

function boundedError(thrown: unknown, { redactStream }: Keeping): unknown {
  const { code, message, retryable } = toErrorData(thrown);
  if (message.length <= maxErrorCharacters) return thrown;
  const redactor = redactStream();
  const told = redactor.push(message) + redactor.end();
  const start = told.slice(0, maxErrorCharacters);
  const rest = told.length - start.length;
  return new AgentError(code, `${start} [${rest} more characters]`, { retryable });
}

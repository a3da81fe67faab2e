import type { Fetched, FetchLimits } from "../../../ports/channel.ts";
import { AgentError } from "../../../schema/errors.ts";
import { endingWithin } from "../../web/ending-within.ts";
import { readBounded } from "../../web/bounded-body.ts";
import type { TelegramClient } from "./telegram-client.ts";
import { failure, toChannelError } from "./telegram-errors.ts";

/** A file that a person sent: where it is, how large it is, then the file, as long as it keeps to what it may be. */

export type FileOptions = {
  /** How long a download may take; 300 000 unless told. */
  readonly downloadTimeoutMs?: number;
};

type Wanted = {
  readonly fileId: string;
  readonly limits: FetchLimits;
  readonly signal: AbortSignal;
};

/** Telegram gives bots no more. */
const mostBytes = 20 * 1024 * 1024;
const downloadTimeoutMs = 300_000;

export async function fetchFile(
  client: TelegramClient,
  wanted: Wanted,
  options: FileOptions = {},
): Promise<Fetched> {
  const most = Math.min(wanted.limits.maxBytes, mostBytes);
  const path = await whereItIs(client, wanted, most);
  const ending = endingWithin(wanted.signal, options.downloadTimeoutMs ?? downloadTimeoutMs);
  try {
    const response = await client.download(path, ending.signal);
    return await readFile(response, most);
  } catch (error) {
    throw error instanceof AgentError ? error : broken(error, wanted.signal);
  } finally {
    ending.release();
  }
}

async function whereItIs(client: TelegramClient, wanted: Wanted, most: number): Promise<string> {
  const { fileId, signal } = wanted;
  const asked = { method: "getFile", isOnce: false, signal };
  const found = await client
    .call(asked, (api) => api.getFile({ file_id: fileId }, signal))
    .catch((error: unknown) => {
      const isTooBig = error instanceof AgentError && /file is too big/i.test(error.message);
      throw isTooBig ? tooLarge(most) : error;
    });
  if (typeof found.file_size === "number" && found.file_size > most) throw tooLarge(most);
  return checkedPath(found.file_path);
}

const segment = /^(?!\.+$)[A-Za-z0-9_.-]{1,128}$/;

/** What is asked for next lies below the bot's files, whatever the server says. */
function checkedPath(path: unknown): string {
  const isPath = typeof path === "string" && path.split("/").every((part) => segment.test(part));
  if (isPath) return path;
  throw failure("channel.refused", "The file's path is none of Telegram's.");
}

async function readFile(response: Response, most: number): Promise<Fetched> {
  const { status, headers, body } = response;
  if (status !== 200) {
    await body?.cancel();
    throw refusalOf(status);
  }
  if (Number(headers.get("content-length") ?? 0) > most) {
    await body?.cancel();
    throw tooLarge(most);
  }
  const { bytes, isWhole } = await readBounded(body as AsyncIterable<Uint8Array> | null, most);
  if (!isWhole) throw tooLarge(most);
  return { bytes, mediaType: mediaTypeOf(headers) };
}

function refusalOf(status: number): AgentError {
  const words = `Telegram answered ${status} when the file was fetched.`;
  if (status === 401) return failure("channel.unauthorized", words);
  if (status === 429) return failure("channel.rate_limited", words, { retryAfterMs: 1000 });
  return failure(status === 404 ? "channel.refused" : "channel.unreachable", words);
}

/** What Telegram says where it does not know is left out. */
function mediaTypeOf(headers: Headers): string | null {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  const isKnown = /^[\w.+-]+\/[\w.+-]+$/.test(type.trim()) && type !== "application/octet-stream";
  return isKnown ? type.trim().slice(0, 128) : null;
}

function broken(error: unknown, signal: AbortSignal): AgentError {
  const asked = { method: "download of a file", isOnce: false, signal };
  if (signal.aborted) return toChannelError(error, asked);
  const isOver = error instanceof Error && error.name === "TimeoutError";
  const words = isOver ? "took too long" : "broke off";
  return failure("channel.unreachable", `The download of a file ${words}.`);
}

function tooLarge(most: number): AgentError {
  return new AgentError("file.too_large", `The file has more than ${most} bytes.`);
}

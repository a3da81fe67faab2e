import type { FetchFileInput } from "../../schema/activities.ts";
import type {
  DownloadContext,
  SentFile,
  WaitingMessage,
} from "../../schema/contexts/download-context.ts";
import type { Delivered } from "../../schema/events/event.ts";
import type { DownloadEvent } from "./download-events.ts";

/** The yes/no questions of the download's chart, and its limits. */

const megabyte = 1024 * 1024;

/** Of a file, and of all files and the number of files of a message. */
export const fileLimits = { bytes: 20 * megabyte, bytesTogether: 50 * megabyte, files: 10 };

/** What may wait at once, files of one message beyond those that are fetched included. */
const most = { messages: 50, filesOfMessage: 20, characters: 400_000 };

type Asked = { readonly context: DownloadContext; readonly event: Delivered<DownloadEvent> };

/** The message that `said` is another part of. */
export function albumOf(
  { messages }: DownloadContext,
  { place, message }: Extract<DownloadEvent, { type: "message.brought" }>,
): WaitingMessage | undefined {
  if (message.album_id === null) return undefined;
  return messages.find(
    (one) => one.said.album_id === message.album_id && one.place.agent_id === place.agent_id,
  );
}

export function isOfFirstAlbum(asked: Asked): boolean {
  const { context, event } = asked;
  if (event.type !== "message.brought" || !hasRoom(asked)) return false;
  const [first] = context.messages;
  return first !== undefined && first.is_open && albumOf(context, event) === first;
}

export function hasRoom({ context, event }: Asked): boolean {
  if (event.type !== "message.brought") return false;
  const { messages } = context;
  const files = (albumOf(context, event)?.files.length ?? 0) + event.message.attachments.length;
  const characters = messages.reduce((sum, { said }) => sum + said.text.length, 0);
  return (
    messages.length < most.messages &&
    files <= most.filesOfMessage &&
    (messages.length === 0 || characters + event.message.text.length <= most.characters)
  );
}

/** A connector that ends takes nothing of what people sent with it. */
export function isByPerson({ event }: Asked): boolean {
  return event.$.origin !== "actor";
}

function awaitedOf({ files }: WaitingMessage): SentFile | undefined {
  return files.find(({ state }) => state === "awaited");
}

/** Those, from the first, for which nothing is awaited any more. */
export function readyOf({ messages }: DownloadContext): readonly WaitingMessage[] {
  const end = messages.findIndex((one) => one.is_open || awaitedOf(one) !== undefined);
  return end < 0 ? messages : messages.slice(0, end);
}

export function hasNextFile({ context: { messages } }: Pick<Asked, "context">): boolean {
  const [first] = messages;
  return first !== undefined && !first.is_open && awaitedOf(first) !== undefined;
}

export function isHanded({ context }: Pick<Asked, "context">): boolean {
  return context.messages.length === 0 && context.handed > 0;
}

export function isLost({ context }: Pick<Asked, "context">): boolean {
  return context.messages.length === 0 && context.taken > 0 && context.handed === 0;
}

/** Whether there is anything in it for an agent. */
export function saysSomething({ said, files }: Pick<WaitingMessage, "said" | "files">): boolean {
  return said.text.trim() !== "" || files.some(({ state }) => state === "kept");
}

/** What its other files leave of what all may hold. */
export function bytesLeft({ files }: Pick<WaitingMessage, "files">): number {
  const kept = files.filter(({ state }) => state === "kept");
  return fileLimits.bytesTogether - kept.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
}

/** @throws Error: there is none, which `hasNextFile` rules out */
export function nextFile({ context }: Pick<Asked, "context">): FetchFileInput {
  const [first] = context.messages;
  const file = first === undefined ? undefined : awaitedOf(first);
  if (first === undefined || file === undefined) throw new Error("no file is awaited");
  const { file_id, path } = file;
  return {
    connector_id: context.connector_id,
    agent_id: first.place.agent_id,
    file_id,
    path,
    max_bytes: Math.min(fileLimits.bytes, bytesLeft(first)),
  };
}

import { assign } from "xstate";
import type {
  DownloadContext,
  MissedReason,
  SentFile,
  WaitingMessage,
} from "../../schema/contexts/download-context.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import type { Attachment } from "../../schema/inbound.ts";
import type { AnyDownloadEvent, DownloadEvent, DownloadInput } from "./download-events.ts";
import { albumOf, bytesLeft, fileLimits, readyOf, saysSomething } from "./download-rules.ts";
import { inboxPath } from "./inbox-path.ts";

/** What a download remembers: the messages that wait, and what became of their files. */

type Event = Delivered<DownloadEvent>;
type Known = { readonly context: DownloadContext; readonly event: Delivered<AnyDownloadEvent> };

const remember = (change: (known: Known) => Partial<DownloadContext>) =>
  assign<DownloadContext, Event, undefined, Event, never>(change);

export function newDownload({
  input,
}: {
  readonly input: DownloadInput & { $: EventMeta };
}): DownloadContext {
  const { $: _meta, ...download } = input;
  return { ...download, messages: [], taken: 0, numbered: 0, handed: 0 };
}

/** A part of an album joins the others, in whatever state they are; anything else goes behind what waits. */
export const keepMessage = remember(({ context, event }) => {
  if (event.type !== "message.brought") return {};
  const { place, conversation, message, $ } = event;
  const { messages, download_id } = context;
  const { attachments } = message;
  const added = attachments.map((attachment, index) => {
    const number = context.numbered + index + 1;
    return awaited(attachment, inboxPath(attachment, { download_id, number, at: $.at }));
  });
  const album = albumOf(context, event);
  const said = { ...message, attachments: [] };
  const is_open = message.album_id !== null;
  const kept =
    album === undefined
      ? [...messages, { place, conversation, said, is_open, files: within(added) }]
      : messages.map((one) => (one === album ? joined(one, message.text, added) : one));
  return {
    messages: kept,
    taken: context.taken + 1,
    numbered: context.numbered + attachments.length,
  };
});

function joined(album: WaitingMessage, text: string, added: readonly SentFile[]): WaitingMessage {
  const texts = [album.said.text, text].filter((each) => each !== "");
  const said = { ...album.said, text: texts.join("\n\n") };
  return { ...album, said, files: within([...album.files, ...added]) };
}

function awaited(attachment: Attachment, path: string): SentFile {
  return { ...attachment, path, state: "awaited", missed: null };
}

function missing(file: SentFile, missed: MissedReason): SentFile {
  return { ...file, state: "missed", missed };
}

/** What its sender's side says to be too large, or what is too many, is not asked for. */
function within(files: readonly SentFile[]): SentFile[] {
  return files.map((file, index) => {
    if (file.state !== "awaited") return file;
    if (index >= fileLimits.files) return missing(file, "too_many");
    return (file.bytes ?? 0) > fileLimits.bytes ? missing(file, "too_large") : file;
  });
}

export const closeAlbum = remember(({ context }) =>
  onFirst(context, (first) => ({ ...first, is_open: false })),
);

export const rememberFile = remember(({ context, event }) => {
  if (event.type !== "xstate.done.actor.fetchFile") return {};
  const { bytes, media_type } = event.output;
  return onFirst(context, (first) =>
    withoutTooMuch(
      onAwaited(first, (file) => {
        return { ...file, state: "kept", bytes, media_type: file.media_type ?? media_type };
      }),
    ),
  );
});

export const rememberMissed = remember(({ context, event }) => {
  if (event.type !== "xstate.error.actor.fetchFile") return {};
  return onFirst(context, (first) => {
    const reason = reasonOf(event.error, bytesLeft(first));
    return onAwaited(first, (file) => missing(file, reason));
  });
});

const reasons: { readonly [code: string]: MissedReason } = {
  "channel.refused": "refused",
  "channel.unreachable": "unreachable",
  "channel.rate_limited": "unreachable",
  "channel.unauthorized": "unreachable",
  "channel.conflict": "unreachable",
  "connector.not_found": "unreachable",
};

function reasonOf({ code }: ErrorData, left: number): MissedReason {
  if (code === "file.too_large") return left < fileLimits.bytes ? "too_much_together" : "too_large";
  return reasons[code] ?? "not_kept";
}

/** What is known to be more than all files of a message may hold is not asked for. */
function withoutTooMuch(message: WaitingMessage): WaitingMessage {
  const left = bytesLeft(message);
  const files = message.files.map((file) =>
    file.state === "awaited" && (left === 0 || (file.bytes ?? 0) > left)
      ? missing(file, "too_much_together")
      : file,
  );
  return { ...message, files };
}

/** What is said goes on without what was not fetched. */
export const giveUpFiles = remember(({ context }) => ({
  messages: context.messages.map((message) => ({
    ...message,
    is_open: false,
    files: message.files.map((file) =>
      file.state === "awaited" ? missing(file, "cancelled") : file,
    ),
  })),
}));

export const forgetReady = remember(({ context }) => {
  const ready = readyOf(context);
  return {
    messages: context.messages.slice(ready.length),
    handed: context.handed + ready.filter(saysSomething).length,
  };
});

function onFirst(
  { messages }: DownloadContext,
  change: (first: WaitingMessage) => WaitingMessage,
): Partial<DownloadContext> {
  const [first, ...others] = messages;
  return first === undefined ? {} : { messages: [change(first), ...others] };
}

function onAwaited(message: WaitingMessage, change: (file: SentFile) => SentFile): WaitingMessage {
  const place = message.files.findIndex(({ state }) => state === "awaited");
  const files = message.files.map((file, index) => (index === place ? change(file) : file));
  return { ...message, files };
}

import type { Attachment } from "../../../../schema/inbound.ts";
import type { WireFile, WireFiles } from "./telegram-shapes.ts";

/** The files of a message. A moving picture comes as a document, a round video as a video. */
export function attachmentsOf(message: WireFiles): Attachment[] {
  const { photo, voice, audio, video, video_note, document } = message;
  const largest = photo?.toSorted((a, b) => b.width * b.height - a.width * a.height)[0];
  const found = [
    ["photo", largest],
    ["voice", voice],
    ["audio", audio],
    ["video", video],
    ["video", video_note],
    ["document", document],
  ] as const;
  return found.flatMap(([kind, file]) => (file === undefined ? [] : [attachmentOf(kind, file)]));
}

function attachmentOf(kind: Attachment["kind"], file: WireFile): Attachment {
  return {
    kind,
    file_id: file.file_id,
    name: file.file_name?.slice(0, 256) ?? null,
    media_type: file.mime_type?.slice(0, 128) ?? null,
    bytes: file.file_size ?? null,
  };
}

import type { Attachment } from "../../schema/inbound.ts";

/** Under which name a file that somebody sent is kept: ours, never the sender's. */

const extensions: { readonly [mediaType: string]: string } = {
  "application/gzip": "gz",
  "application/json": "json",
  "application/msword": "doc",
  "application/pdf": "pdf",
  "application/rtf": "rtf",
  "application/vnd.oasis.opendocument.spreadsheet": "ods",
  "application/vnd.oasis.opendocument.text": "odt",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/xml": "xml",
  "application/zip": "zip",
  "audio/aac": "aac",
  "audio/flac": "flac",
  "audio/mp4": "m4a",
  "audio/mpeg": "mp3",
  "audio/ogg": "ogg",
  "audio/wav": "wav",
  "image/gif": "gif",
  "image/heic": "heic",
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/svg+xml": "svg",
  "image/webp": "webp",
  "text/calendar": "ics",
  "text/csv": "csv",
  "text/html": "html",
  "text/markdown": "md",
  "text/plain": "txt",
  "text/vcard": "vcf",
  "video/mp4": "mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
};

/** Of files whose media type seldom says what they are. */
const byNameOnly = ["eml", "ini", "log", "sql", "tar", "toml", "tsv", "yaml", "yml"];

const known: ReadonlySet<string> = new Set([...Object.values(extensions), ...byNameOnly]);

/** Of what comes without a name and a media type, as round videos do. */
const usual: { readonly [kind in Attachment["kind"]]?: string } = {
  photo: "jpg",
  video: "mp4",
  voice: "ogg",
};

type Named = Pick<Attachment, "kind" | "name" | "media_type">;

function extensionOf({ kind, name, media_type }: Named): string {
  const named = /\.([A-Za-z0-9]{1,5})$/.exec(name ?? "")?.[1]?.toLowerCase() ?? "";
  if (known.has(named)) return named;
  const [type = ""] = (media_type ?? "").toLowerCase().split(";", 1);
  const byType = Object.hasOwn(extensions, type) ? extensions[type] : undefined;
  return byType ?? usual[kind] ?? "bin";
}

type Numbered = { readonly download_id: string; readonly number: number; readonly at: number };

/** `inbox/20261122-f57-1.ogg`. */
export function inboxPath(file: Named, { download_id, number, at }: Numbered): string {
  const day = new Date(at).toISOString().slice(0, 10).replaceAll("-", "");
  return `inbox/${day}-${download_id}-${number}.${extensionOf(file)}`;
}

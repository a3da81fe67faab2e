import { fileLimits } from "../../../machines/download/download-rules.ts";
import { cleanText } from "../../../text/clean-text.ts";
import type {
  MissedReason,
  SentFile,
  WaitingMessage,
} from "../../../schema/contexts/download-context.ts";
import type { Attachment } from "../../../schema/inbound.ts";

/** What an agent and a person are told of files that were sent. */

const kinds: { readonly [kind in Attachment["kind"]]: string } = {
  photo: "photo",
  voice: "voice message",
  audio: "audio",
  video: "video",
  document: "document",
};

const shortName = /^.{0,80}/su;

/** One line that cannot pass for more than a name: what the sender calls the file is a stranger's word. */
function nameOf({ kind, name }: SentFile): string {
  if (name === null || name === "") return kinds[kind];
  const clean = cleanText(name, { multiline: false }).replaceAll(/["[\]]/g, "'");
  const shown = shortName.exec(clean)?.[0] ?? "";
  return `${kinds[kind]} "${shown}${shown === clean ? "" : "…"}"`;
}

const mediaType = /^[a-z0-9.+-]{1,40}\/[a-z0-9.+-]{1,80}$/i;

function typeOf({ media_type }: SentFile): readonly string[] {
  const [type = ""] = (media_type ?? "").split(";", 1);
  return mediaType.test(type) ? [type] : [];
}

const kilobyte = 1024;

function sizeText(bytes: number): string {
  if (bytes < kilobyte) return `${bytes} B`;
  if (bytes < kilobyte ** 2) return `${Math.round(bytes / kilobyte)} KB`;
  return `${(bytes / kilobyte ** 2).toFixed(1).replace(".0", "")} MB`;
}

const sizeOf = ({ bytes }: SentFile) => (bytes === null ? [] : [sizeText(bytes)]);

const reasons: { readonly [reason in MissedReason]: string } = {
  too_large: `it is larger than ${sizeText(fileLimits.bytes)}`,
  too_many: `a message may bring ${fileLimits.files} files`,
  too_much_together: `the files of a message may have ${sizeText(fileLimits.bytesTogether)} together`,
  refused: "the channel does not give it out",
  unreachable: "the channel could not be reached",
  not_kept: "it could not be stored here",
  cancelled: "fetching it was stopped",
};

const whyOf = ({ missed }: SentFile) => (missed === null ? "" : reasons[missed]);

function lineOf(file: SentFile): string {
  const facts = [nameOf(file), ...typeOf(file), ...sizeOf(file)];
  return file.state === "kept"
    ? `[file: ${[file.path, ...facts].join(", ")}]`
    : `[file not received: ${[nameOf(file), ...sizeOf(file)].join(", ")}: ${whyOf(file)}]`;
}

/** What was said, and a line for each file. */
export function textWithFiles({ said, files }: Pick<WaitingMessage, "said" | "files">): string {
  const parts = [said.text, files.map(lineOf).join("\n")];
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}

const ofFile = /^\[file(?: not received)?: .*\]$/;

/** The lines of files with which such a text ends. */
export function fileLinesIn(told: string): string {
  const lines = told.split("\n");
  const lastSaid = lines.findLastIndex((line) => !ofFile.test(line));
  return lines.slice(lastSaid + 1).join("\n");
}

/** To whoever sent them; undefined: all came. */
export function missedWord({ files }: Pick<WaitingMessage, "files">): string | undefined {
  const missed = files.filter(({ state }) => state === "missed");
  const lines = missed.map((file) => {
    const size = sizeOf(file).map((text) => ` (${text})`);
    return `${nameOf(file)}${size.join("")}: ${whyOf(file)}`;
  });
  const [line, ...others] = lines;
  if (line === undefined) return undefined;
  return others.length === 0
    ? `I did not get the ${line}.`
    : ["I did not get these files:", ...lines.map((one) => `- ${one}`)].join("\n");
}

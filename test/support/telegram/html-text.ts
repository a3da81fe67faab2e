import { badRequest } from "./wire.ts";

/** Telegram's HTML: what is shown and which entities it has, or the refusal that Telegram answers. */

export type Entity = {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly language?: string;
};

export type ShownText = { readonly text: string; readonly entities: readonly Entity[] };

const typeOfTag: Readonly<Record<string, string>> = {
  "a": "text_link",
  "b": "bold",
  "blockquote": "blockquote",
  "code": "code",
  "del": "strikethrough",
  "em": "italic",
  "i": "italic",
  "ins": "underline",
  "pre": "pre",
  "s": "strikethrough",
  "span": "spoiler",
  "strike": "strikethrough",
  "strong": "bold",
  "tg-emoji": "custom_emoji",
  "tg-spoiler": "spoiler",
  "u": "underline",
};

const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };
const tag =
  /^<(\/?)([a-z][a-z0-9-]*)((?:\s+[a-z-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*>/i;
const reference = /&(#x[0-9a-f]{1,8}|#[0-9]{1,8}|[a-z]+);/gi;

function characterOf(name: string): string | undefined {
  if (!name.startsWith("#")) return named[name.toLowerCase()];
  const point = Number(name.toLowerCase().startsWith("#x") ? `0${name.slice(1)}` : name.slice(1));
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}

/** References that Telegram does not know stay as they are. */
function unescaped(text: string): string {
  return text.replaceAll(reference, (whole, name: string) => characterOf(name) ?? whole);
}

function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(
    attributes,
  );
  return found === null ? undefined : unescaped(found[1] ?? found[2] ?? found[3] ?? "");
}

const cannot = (words: string) => badRequest(`can't parse entities: ${words}`);
const byteAt = (html: string, at: number) => Buffer.byteLength(html.slice(0, at));

type OpenTag = { readonly name: string; readonly attributes: string; readonly offset: number };

function entityOf(open: OpenTag, end: number): Entity[] {
  const type = typeOfTag[open.name];
  const length = end - open.offset;
  if (type === undefined || length === 0) return [];
  const url = open.name === "a" ? attribute(open.attributes, "href") : undefined;
  if (open.name === "a" && url === undefined) return [];
  const language = attribute(open.attributes, "class")?.replace(/^language-/, "");
  return [
    {
      type,
      offset: open.offset,
      length,
      ...(url === undefined ? {} : { url }),
      ...(open.name === "code" && language !== undefined ? { language } : {}),
    },
  ];
}

function checkStart(html: string, at: number, name: string, attributes: string): void {
  const where = `at byte offset ${byteAt(html, at)}`;
  if (typeOfTag[name] === undefined) throw cannot(`Unsupported start tag "${name}" ${where}`);
  if (name === "span" && attribute(attributes, "class") !== "tg-spoiler")
    throw cannot(`Tag "span" must have class "tg-spoiler" ${where}`);
}

function closing(html: string, at: number, name: string, open: OpenTag | undefined): OpenTag {
  const where = `at byte offset ${byteAt(html, at)}`;
  if (open === undefined) throw cannot(`Unexpected end tag ${where}`);
  if (open.name !== name)
    throw cannot(`Unmatched end tag ${where}, expected "</${open.name}>", found "</${name}>"`);
  return open;
}

function parseHtml(html: string): ShownText {
  const open: OpenTag[] = [];
  const entities: Entity[] = [];
  let text = "";
  for (let at = 0; at < html.length;) {
    const next = html.indexOf("<", at);
    const until = next === -1 ? html.length : next;
    text += unescaped(html.slice(at, until));
    at = until;
    if (next === -1) break;
    const found = tag.exec(html.slice(at));
    if (found === null)
      throw cannot(
        `Unsupported start tag "${/^<\/?([^\s>]*)/.exec(html.slice(at))?.[1]}" at byte offset ${byteAt(html, at)}`,
      );
    const [whole, slash, name = "", attributes = ""] = found;
    if (slash === "") {
      checkStart(html, at, name.toLowerCase(), attributes);
      open.push({ name: name.toLowerCase(), attributes, offset: text.length });
    } else {
      entities.push(...entityOf(closing(html, at, name.toLowerCase(), open.pop()), text.length));
    }
    at += whole.length;
  }
  const left = open.at(-1);
  if (left !== undefined)
    throw cannot(`Can't find end tag corresponding to start tag "${left.name}"`);
  return {
    text,
    entities: entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length),
  };
}

/** White space around the text is not shown, and entities move with it. */
function trimmed({ text, entities }: ShownText): ShownText {
  const shift = text.length - text.trimStart().length;
  const shown = text.trim();
  const moved = entities.flatMap((entity) => {
    const from = Math.max(0, entity.offset - shift);
    const to = Math.min(shown.length, entity.offset - shift + entity.length);
    return to > from ? [{ ...entity, offset: from, length: to - from }] : [];
  });
  return { text: shown, entities: moved };
}

const most = 4096;

export function shownText(source: string, parseMode: string, what = "message text"): ShownText {
  if (parseMode !== "" && parseMode.toLowerCase() !== "html")
    throw badRequest(`unsupported parse_mode "${parseMode}" in this fake`);
  const shown = trimmed(parseMode === "" ? { text: source, entities: [] } : parseHtml(source));
  if (shown.text === "") throw badRequest(`${what} is empty`);
  if (shown.text.length > most) throw badRequest("message is too long");
  return shown;
}

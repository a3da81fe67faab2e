import type { Look, Piece } from "./styled-text.ts";

/** As Telegram's HTML: quotes may hold anything, code holds nothing, a link is no code; every tag is closed within the text. */
export function piecesAsHtml(pieces: readonly Piece[]): string {
  let open: readonly Tag[] = [];
  let html = "";
  for (const { text, look } of pieces) {
    const tags = tagsOf(look);
    const kept = sameTags(open, tags);
    html += closing(open.slice(kept)) + opening(tags.slice(kept)) + escapeHtml(text);
    open = tags;
  }
  return html + closing(open);
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

type Tag = { readonly open: string; readonly close: string };

function tagsOf(look: Look): readonly Tag[] {
  const quote = look.quote === true ? [tag("blockquote")] : [];
  if (look.block !== undefined) return [...quote, codeBlock(look.block)];
  if (look.code === true && look.link === undefined) return [...quote, tag("code")];
  const link =
    look.link === undefined ? [] : [{ open: `<a href="${escapeHtml(look.link)}">`, close: "</a>" }];
  return [
    ...quote,
    ...link,
    ...(look.bold === true ? [tag("b")] : []),
    ...(look.italic === true ? [tag("i")] : []),
    ...(look.strike === true ? [tag("s")] : []),
  ];
}

function tag(name: string): Tag {
  return { open: `<${name}>`, close: `</${name}>` };
}

function codeBlock(language: string): Tag {
  if (language === "") return tag("pre");
  return {
    open: `<pre><code class="language-${escapeHtml(language)}">`,
    close: "</code></pre>",
  };
}

function sameTags(open: readonly Tag[], tags: readonly Tag[]): number {
  const differs = open.findIndex((each, index) => each.open !== tags[index]?.open);
  return differs < 0 ? open.length : differs;
}

function opening(tags: readonly Tag[]): string {
  return tags.map(({ open }) => open).join("");
}

function closing(tags: readonly Tag[]): string {
  return tags
    .map(({ close }) => close)
    .toReversed()
    .join("");
}

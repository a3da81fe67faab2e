/** A judge of the HTML that we send, stricter than Telegram's servers (and than the fake ones, html-text.ts): what they let pass in
 *  silence, or show without its look, is a fault of ours. https://core.telegram.org/bots/api#html-style */

const references: ReadonlyMap<string, string> = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
]);

const openings: readonly RegExp[] = [
  /^<(b|strong|i|em|u|ins|s|strike|del|tg-spoiler|code|pre|blockquote)>$/,
  /^<(blockquote) expandable>$/,
  /^<(span) class="tg-spoiler">$/,
  /^<(code) class="language-[\w+#.-]+">$/,
  /^<(a) href="(?:https?|tg|mailto|tel):[^"<>\s]*">$/,
];
const token = /<[^>]*>|&[^;\s]*;|[^<&]+|[<&]/g;

/** @returns the words in which the text would be refused, or undefined */
export function entityFault(html: string): string | undefined {
  const open: string[] = [];
  for (const { 0: found, index } of html.matchAll(token)) {
    const fault = faultOf(found, open);
    if (fault !== undefined)
      return `can't parse entities: ${fault} at byte offset ${offset(html, index)}`;
  }
  const last = open.at(-1);
  return last === undefined
    ? undefined
    : `can't parse entities: Can't find end tag corresponding to start tag "${last}"`;
}

/** @returns UTF-16 units of the text that is read */
export function lengthAfterEntities(html: string): number {
  return textAfterEntities(html).length;
}

export function textAfterEntities(html: string): string {
  return html.replaceAll(token, (found) => {
    if (found.startsWith("<")) return "";
    return references.get(found) ?? found;
  });
}

/** @param open is changed as the tag says */
function faultOf(found: string, open: string[]): string | undefined {
  if (found.startsWith("</")) return closeFault(found, open);
  if (found.startsWith("<")) return openFault(found, open);
  if (found.startsWith("&")) {
    return references.has(found) ? undefined : `Unknown character reference "${found}"`;
  }
  if (/[>"]/.test(found)) return "Unescaped character";
  return /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(found)
    ? "Text must be encoded in UTF-8"
    : undefined;
}

function closeFault(found: string, open: string[]): string | undefined {
  const expected = open.pop();
  const name = found.slice(2, -1);
  if (expected === undefined) return `Unexpected end tag "${name}"`;
  return expected === name
    ? undefined
    : `Unmatched end tag, expected "</${expected}>", found "${found}"`;
}

function openFault(found: string, open: string[]): string | undefined {
  const name = openings.map((form) => form.exec(found)?.[1]).find((each) => each !== undefined);
  if (name === undefined) return `Unsupported start tag "${found}"`;
  const parent = open.at(-1);
  const isLanguage = found.startsWith("<code class");
  open.push(name);
  if (isLanguage !== (parent === "pre" && name === "code")) return `Misplaced start tag "${found}"`;
  if (isLanguage) return undefined;
  return nestingFault(name, open.slice(0, -1));
}

const holdsNothing: readonly string[] = ["code", "pre"];
const holdsNone: ReadonlyMap<string, readonly string[]> = new Map([
  ["a", ["a", "code", "pre", "blockquote"]],
  ["blockquote", ["blockquote"]],
]);
/** What code and blocks may stand in. */
const holders: readonly string[] = ["blockquote"];

function nestingFault(name: string, around: readonly string[]): string | undefined {
  const inCode = around.find((each) => holdsNothing.includes(each));
  if (inCode !== undefined) return `"${name}" inside "${inCode}"`;
  const holder = around.find((each) => holdsNone.get(each)?.includes(name) === true);
  if (holder !== undefined) return `"${name}" inside "${holder}"`;
  const isCode = holdsNothing.includes(name);
  const wrong = around.find((each) => isCode && !holders.includes(each));
  if (wrong !== undefined) return `"${name}" inside "${wrong}"`;
  return name === "blockquote" && around.length > 0
    ? `"${name}" inside "${around.at(-1)}"`
    : undefined;
}

function offset(html: string, index: number): number {
  return Buffer.byteLength(html.slice(0, index));
}

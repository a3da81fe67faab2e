/** The text of a page that no parser could read in time: one pass, tags left out, whatever they are. */

const silent = new Set(["script", "style", "noscript", "template", "svg", "head"]);
const breaking = /^\/?(?:p|div|br|li|tr|h[1-6]|section|article|pre|table|ul|ol|blockquote)$/;
const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

export function plainText(html: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open < 0) break;
    parts.push(html.slice(at, open));
    const { name, end } = tagAt(html, open);
    if (breaking.test(name)) parts.push("\n");
    at = silent.has(name) ? endOfElement(html, name, end) : end;
  }
  parts.push(html.slice(at));
  return decoded(parts.join(""))
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/\n\s*\n+/g, "\n\n")
    .trim();
}

function tagAt(html: string, open: number): { readonly name: string; readonly end: number } {
  const close = html.startsWith("<!--", open)
    ? endAfter(html, "-->", open)
    : endAfter(html, ">", open);
  const name = /^<(\/?[a-z][a-z0-9]{0,15})/i.exec(html.slice(open, open + 20))?.[1] ?? "";
  return { name: name.toLowerCase(), end: close };
}

function endAfter(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}

/** What is never closed goes to the end of the page. */
function endOfElement(html: string, name: string, from: number): number {
  return endAfter(html, ">", endAfter(html, `</${name}`, from));
}

function decoded(text: string): string {
  return text.replaceAll(/&([a-z]{2,5});/g, (whole, name: string) => entities[name] ?? whole);
}

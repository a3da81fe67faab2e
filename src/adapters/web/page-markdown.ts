import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import TurndownService from "turndown";

/** The readable part of a page as Markdown. A hostile page takes parsers hours: run it where it can be killed. */
export type PageText = { readonly title: string | null; readonly text: string };

const unread =
  "script, style, noscript, template, svg, iframe, object, embed, [hidden], [aria-hidden=true]";

export function pageMarkdown(html: string, url: string): PageText {
  const { document } = parseHTML(withBody(html));
  const title = document.querySelector("title")?.textContent.trim() ?? "";
  for (const element of document.querySelectorAll(unread)) element.remove();
  makeAbsolute(document, url);
  const whole = document.querySelector("body")?.innerHTML ?? html;
  const article = new Readability(document).parse();
  const content = article?.content ?? "";
  return {
    title: title === "" ? null : title,
    text: markdownOf(content === "" ? whole : content),
  };
}

/** The parser adds no element that the page leaves out. */
function withBody(html: string): string {
  return /<body[\s>]/i.test(html) ? html : `<html><head></head><body>${html}</body></html>`;
}

function makeAbsolute(document: ReturnType<typeof parseHTML>["document"], base: string): void {
  for (const link of document.querySelectorAll("a[href]")) {
    const to = link.getAttribute("href") ?? "";
    if (URL.canParse(to, base)) link.setAttribute("href", new URL(to, base).href);
  }
}

function markdownOf(html: string): string {
  const turndown = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
  });
  return turndown.turndown(html).trim();
}

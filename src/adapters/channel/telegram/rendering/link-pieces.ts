import { type Look, type Piece, piece, textOf } from "./styled-text.ts";
import { shownText } from "./shown-text.ts";

/** Links that a model wrote. Only addresses of the web can be tapped; where a link leads is said wherever its words could be taken
 *  for another address. */

const longestAddress = 2_000;
const mostShown = 120;

export type Link = {
  readonly href: string;
  readonly words: readonly Piece[];
  readonly look: Look;
};

export function linkPieces({ href, words, look }: Link): readonly Piece[] {
  const text = textOf(words).trim();
  const address = webAddress(href);
  if (address === undefined) return [...words, piece(besides(text, href), look)];
  const linked: Look = { ...look, link: address.href };
  if (text === "") return [piece(address.host, linked)];
  const inLink = words.map((word) => piece(word.text, { ...word.look, link: address.href }));
  return isMisleading(text, address) ? [...inLink, piece(` (${address.host})`, look)] : inLink;
}

function webAddress(href: string): URL | undefined {
  if (href.length > longestAddress || !URL.canParse(href)) return undefined;
  const url = new URL(href);
  const isWeb = url.protocol === "http:" || url.protocol === "https:";
  return isWeb && url.href.length <= longestAddress ? url : undefined;
}

/** An address that can not be tapped, beside the words. */
function besides(text: string, href: string): string {
  const address = shownText(href.replaceAll(/\s+/g, " ").slice(0, mostShown));
  if (address === "" || address === text || address === `mailto:${text}`) return "";
  const cut = href.length > mostShown ? "…" : "";
  return text === "" ? `${address}${cut}` : ` (${address}${cut})`;
}

const hostLike = /[\p{L}\p{N}_-]+(?:[.。][\p{L}\p{N}_-]+)+/gu;

/** The words name another host than the one that is opened, or pretend to be a person's name; or the address itself begins like
 *  another one, `https://bank.example@evil.example`. */
function isMisleading(text: string, { host, username }: URL): boolean {
  const said = text.normalize("NFKC").toLowerCase();
  if (said.startsWith("@") || username !== "") return true;
  const named = said.match(hostLike) ?? [];
  const isHost = (name: string) =>
    host === name || host === `www.${name}` || `www.${host}` === name;
  return named.some((name) => /[.。]\p{L}{2,}$/u.test(name)) && !named.some(isHost);
}

import type { InboundMessage } from "../schema/inbound.ts";

/** What a message answers, as it stands before that message. */

type Quoted = NonNullable<InboundMessage["quoted"]>;

const begin = "[The person answers ";
/** Before each line of the quote, so that none of them passes for what the person says. */
const lineMark = "> ";

export function quoteOf({ text, is_own }: Quoted): string {
  const what = `${begin}${is_own ? "their own message" : "somebody else's message"}`;
  if (text === "") return `${what}, whose files come with this one.]`;
  const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u);
  return [`${what}:]`, ...lines.map((line) => lineMark + line)].join("\n");
}

/** What a person says, without what it answers. */
export function withoutQuote(told: string): string {
  return partsOf(told).said;
}

/** What it answers, as it was told; "" for nothing. */
export function quoteIn(told: string): string {
  return partsOf(told).quote;
}

function partsOf(told: string): { readonly quote: string; readonly said: string } {
  if (!told.startsWith(begin)) return { quote: "", said: told };
  const lines = told.split("\n");
  const first = lines.findIndex((line, at) => at > 0 && !line.startsWith(lineMark));
  const end = first < 0 ? lines.length : first;
  return { quote: lines.slice(0, end).join("\n"), said: lines.slice(end).join("\n") };
}

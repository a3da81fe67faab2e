import { displayWidth } from "../../text/text-width.ts";
import type { Line, Style } from "../frame/frame.ts";
import { fitLine, span } from "../frame/line.ts";
import { joined, own, safe, type SafeText, wrappedWords } from "../frame/safe-text.ts";

/** A name and what there is to say of it, with a colour of its own where it matters. */
export type Fact = readonly [name: SafeText, value: SafeText, style?: Style];

/** Names on the left, values wrapped beside them. */
export function factLines(facts: readonly Fact[], width: number): Line[] {
  const nameWidth = Math.max(0, ...facts.map(([name]) => displayWidth(name))) + 2;
  return facts.flatMap(([name, value, style]) =>
    wrappedWords(value, width - nameWidth).map((text, index): Line => {
      const first = span(index === 0 ? name : own``, { fg: "grey" });
      return [...fitLine([first], nameWidth), span(text, style)];
    }),
  );
}

/** `-` where there is nothing. */
export function orDash(text: string | null | undefined): SafeText {
  return text === null || text === undefined || text === "" ? own`-` : safe(text);
}

export function listed(texts: readonly string[]): SafeText {
  return texts.length === 0 ? own`-` : joined(texts.map(safe), own`, `);
}

export function heading(text: SafeText): Line {
  return [span(text, { bold: true })];
}

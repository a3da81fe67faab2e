import type { Hint } from "../app/pane.ts";
import type { Line } from "../frame/frame.ts";
import { blank, line, span, widthOf } from "../frame/line.ts";
import { own } from "../frame/safe-text.ts";

/** What keys do with a question, said beside it: nobody has to look for them. */
export function keysLines(hints: readonly Hint[], width: number): Line[] {
  const lines: Line[] = [];
  let last: Line = [];
  for (const { keys, does } of hints) {
    const key = [span(own` ${keys} `, { inverse: true }), span(own` ${does}  `)];
    if (widthOf(last) + widthOf(key) > width + 2) {
      lines.push(last);
      last = [];
    }
    last = [...last, ...key];
  }
  return [...lines, last];
}

/** That there is more to read. */
export function belowLine(count: number): Line {
  if (count === 0) return blank;
  return line(own`↓ ${count} more ${count === 1 ? own`line` : own`lines`} below (PgDn)`, {
    fg: "yellow",
  });
}

import { displayWidth } from "../../text/text-width.ts";
import type { Line, Span, Style } from "./frame.ts";
import { between, own, padded, repeated, type SafeText } from "./safe-text.ts";

/** Rows of the screen: made, cut and put side by side. */

const space = own` `;

export function span(text: SafeText, style?: Style): Span {
  return style === undefined ? { text } : { text, style };
}

export function line(text: SafeText, style?: Style): Line {
  return [span(text, style)];
}

export const blank: Line = [];

/** In cells. */
export function widthOf(spans: Line): number {
  return spans.reduce((total, { text }) => total + displayWidth(text), 0);
}

/** Exactly `width` cells wide; what is too long ends with …. A style of its own for the filling: that of the selection. */
export function fitLine(spans: Line, width: number, filling?: Style): Line {
  const fitting: Span[] = [];
  let left = width;
  for (const each of spans) {
    const wide = displayWidth(each.text);
    if (wide > left) {
      fitting.push({ ...each, text: padded(each.text, left) });
      return fitting;
    }
    fitting.push(each);
    left -= wide;
  }
  return left > 0 ? [...fitting, span(repeated(space, left), filling)] : fitting;
}

/** Laid over each span's own style. */
export function styled(spans: Line, style: Style): Line {
  return spans.map((each) => ({ ...each, style: { ...each.style, ...style } }));
}

/** Left and right at the two ends of the width, at least one cell apart; the left one gives way. */
export function apart(left: Line, right: Line, width: number): Line {
  const rightWidth = widthOf(right);
  if (rightWidth >= width) return fitLine(right, width);
  if (rightWidth === 0) return fitLine(left, width);
  return [...fitLine(left, width - rightWidth - 1), span(space), ...right];
}

/** As many of them as fit, the first ones first. */
export function thoseThatFit(parts: readonly Line[], width: number): Line {
  let left = width;
  const fitting: Line[] = [];
  for (const part of parts) {
    left -= widthOf(part);
    if (left < 0) break;
    fitting.push(part);
  }
  return fitting.flat();
}

/** The cells from `from` up to `to`. */
export function sliceLine(spans: Line, from: number, to: number): Line {
  const kept: Span[] = [];
  let at = 0;
  for (const each of spans) {
    const end = at + displayWidth(each.text);
    if (end > from && at < to) kept.push({ ...each, text: between(each.text, from - at, to - at) });
    at = end;
  }
  return kept;
}

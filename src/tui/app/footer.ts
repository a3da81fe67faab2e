import type { Line, Size, Span } from "../frame/frame.ts";
import { apart, fitLine, span, widthOf } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import type { LineEditor } from "../widgets/line-editor.ts";
import type { Hint, Pane } from "./pane.ts";

export type Message = { readonly text: SafeText; readonly mood?: "good" | "bad" };

export type FooterState = {
  /** While a filter is typed. */
  readonly filtering: LineEditor | undefined;
  readonly message: Message | undefined;
  readonly pane: Pane;
  readonly trace: string | undefined;
  readonly hints: readonly Hint[];
};

const moods = { good: { fg: "green" }, bad: { fg: "red" } } as const;

/** The two rows at the bottom: what is typed, said or filtered; and which keys do what. */
export function footer(state: FooterState, { columns }: Size): Picture {
  const hints = hintLine(state.hints, columns);
  if (state.filtering !== undefined) {
    const prompt = own` / `;
    const typed = state.filtering.draw(columns - 4);
    const [text = []] = typed.lines;
    const cursor = { x: (typed.cursor?.x ?? 0) + 3, y: 0 };
    return { lines: [[span(prompt, { bold: true }), ...text], hints], cursor };
  }
  return { lines: [apart(said(state), narrowed(state), columns), hints] };
}

function said({ message }: FooterState): Line {
  if (message === undefined) return [];
  const { text, mood } = message;
  return [span(own` ${text}`, mood === undefined ? {} : moods[mood])];
}

function narrowed({ pane, trace }: FooterState): Line {
  const spans: Span[] = [];
  const filter = pane.filter?.text ?? "";
  if (filter !== "") spans.push(span(own` filter: ${safe(filter)} `, { fg: "yellow" }));
  if (trace !== undefined && pane.isTyping?.() !== true)
    spans.push(span(own` only trace ${safe(trace)} (T: all) `, { fg: "yellow" }));
  return spans;
}

/** As many as fit, the most useful first, with those that must not be missed. */
function hintLine(hints: readonly Hint[], columns: number): Line {
  const parts = hints.map((hint) => ({ hint, spans: spansOf(hint) }));
  const vital = parts.filter(({ hint }) => hint.isVital);
  let left = columns - widthOf(vital.flatMap(({ spans }) => spans));
  const fitting = parts.filter(({ hint, spans }) => {
    if (hint.isVital) return true;
    left -= widthOf(spans);
    return left >= 0;
  });
  return fitLine(
    fitting.flatMap(({ spans }) => spans),
    columns,
  );
}

function spansOf({ keys, does }: Hint): Line {
  return [span(own` ${keys}`, { bold: true }), span(own` ${does} `, { fg: "grey" })];
}

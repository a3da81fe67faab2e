import type { Hint, Pane } from "../app/pane.ts";
import { hintsAround } from "../app/global-keys.ts";
import type { Line } from "../frame/frame.ts";
import { blank, fitLine, line, span } from "../frame/line.ts";
import { own } from "../frame/safe-text.ts";
import { TextOverlay } from "./text-overlay.ts";

/** What every key does in this pane, and everywhere. */
export function helpFor(pane: Pane): TextOverlay {
  return new TextOverlay({
    title: own`help: ${pane.title()}`,
    lines: () => [
      line(own`In this pane`, { bold: true }),
      ...pane.hints.map(hintLine),
      blank,
      line(own`Everywhere`, { bold: true }),
      ...hintsAround(pane).map(hintLine),
      blank,
      line(own`C-y is Ctrl and y; M-Enter is Alt and Enter.`, { fg: "grey" }),
      line(own`A filter takes words, and fields: state:waiting kind:run agent:main trace:…`, {
        fg: "grey",
      }),
      line(own`Leaving never stops the service; "statehive stop" does.`, { fg: "grey" }),
    ],
  });
}

function hintLine({ keys, does }: Hint): Line {
  return [...fitLine([span(own`  ${keys}`, { bold: true })], 18), span(does)];
}

import { PassThrough, type Readable, Writable } from "node:stream";
import blessed, { type Widgets } from "blessed";
import type { Size } from "../frame/frame.ts";
import { drawnWidth } from "./drawn-cell.ts";

/** blessed, kept from the terminal and from the process: it computes what to send, and sends nothing itself. */

// Its own terminfo files only: it cannot read those of ncurses 6.2 and newer, and falls to eight colours or none.
blessed.tput.ipaths.length = 0;
// Its table is of 2013; here it is asked about cells only, and those know.
blessed.unicode.charWidth = (drawn) => (typeof drawn === "string" ? drawnWidth(drawn) : 1);

/** Takes what blessed writes, instead of a terminal. */
export class Sink extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;
  private written = "";

  constructor({ columns, rows }: Size) {
    super({ decodeStrings: false });
    this.columns = columns;
    this.rows = rows;
  }

  override _write(text: string, _encoding: unknown, done: () => void): void {
    this.written += text;
    done();
  }

  /** What was written since it was taken last. */
  take(): string {
    const { written } = this;
    this.written = "";
    return written;
  }
}

export function blessedScreen(sink: Sink): Widgets.Screen {
  const screen = withoutProcessListeners(() =>
    blessed.screen({
      input: new PassThrough(),
      // The types have it the wrong way round.
      output: sink as unknown as Readable,
      terminal: "xterm-256color",
      fullUnicode: true,
      forceUnicode: true,
      warnings: false,
      autoPadding: false,
    }),
  );
  screen.tput.brokenACS = true;
  // The cursor is shown and hidden by us.
  screen.program.cursorHidden = true;
  return screen;
}

const events = ["uncaughtException", "exit", "SIGTERM", "SIGINT", "SIGQUIT"] as const;

/** Those of blessed would end the process with a code of their own, or not at all. */
function withoutProcessListeners<T>(create: () => T): T {
  const before = new Map(events.map((event) => [event, process.rawListeners(event)] as const));
  const created = create();
  for (const [event, known] of before) {
    for (const listener of process.rawListeners(event)) {
      if (!known.includes(listener)) process.removeListener(event, listener as () => void);
    }
  }
  return created;
}

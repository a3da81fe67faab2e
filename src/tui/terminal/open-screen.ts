import { cellsOf } from "../../text/cells.ts";
import { cleanText } from "../../text/clean-text.ts";
import type { Frame, Place, Size } from "../frame/frame.ts";
import type { Screen, ScreenEvents, ScreenOptions } from "../screen.ts";
import { shownCharacter } from "./drawn-cell.ts";
import { CellCanvas } from "./cell-canvas.ts";
import * as modes from "./modes.ts";
import type { Surroundings } from "./surroundings.ts";
import { listenToTty } from "./tty-input.ts";

export type OpenScreenOptions = ScreenOptions & {
  readonly title: string;
  /** What others printed meanwhile. */
  readonly onStray: (text: string) => void;
};

/** Takes the terminal. However the process ends, it is given back as it was. */
export function openScreen(options: OpenScreenOptions, around: Surroundings): Screen {
  return new TtyScreen(options, around);
}

const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;
const maxTitle = 60;

class TtyScreen implements Screen {
  private readonly options: OpenScreenOptions;
  private readonly around: Surroundings;
  private readonly canvas: CellCanvas;
  private readonly undo: (() => void)[] = [];
  private events: ScreenEvents | undefined;
  private isShown = false;
  private isClosed = false;
  private cursor: Place | null = null;

  constructor(options: OpenScreenOptions, around: Surroundings) {
    this.options = options;
    this.around = around;
    this.canvas = new CellCanvas(sizeOf(around), options);
    this.listenToProcess();
    this.undo.push(listenToTty(around, () => this.events));
    this.show();
  }

  size(): Size {
    return this.canvas.size();
  }

  listen(events: ScreenEvents): void {
    this.events = events;
  }

  draw({ lines, cursor }: Frame): void {
    if (!this.isShown) return;
    const changed = this.canvas.draw(lines);
    const moved = this.moveCursor(cursor, changed !== "");
    if (changed + moved !== "") this.around.output.write(changed + moved);
  }

  refresh(): void {
    if (this.isShown) this.blank(modes.hideCursor + modes.blankScreen);
  }

  suspend(): void {
    if (!this.isShown) return;
    this.hide();
    this.around.stop();
    this.resume();
  }

  bell(): void {
    if (this.isShown) this.around.output.write(modes.bell);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const undo of this.undo.toReversed()) undo();
    this.hide();
    this.canvas.close();
  }

  private show(): void {
    const { title, mouse, ascii } = this.options;
    this.around.input.setRawMode?.(true);
    this.isShown = true;
    this.blank(modes.entering(shownTitle(title, ascii), mouse));
  }

  private hide(): void {
    if (!this.isShown) return;
    this.isShown = false;
    this.around.writeNow(modes.leaving);
    this.around.input.setRawMode?.(false);
  }

  /** After a stop: the shell has set the terminal as it likes it, and may have drawn over the picture. */
  private resume(): void {
    if (this.isClosed) return;
    if (this.isShown) {
      // The shell has changed it behind the back of Node, which would see nothing to do.
      this.around.input.setRawMode?.(false);
      this.around.input.setRawMode?.(true);
      this.blank(modes.modesOn(this.options.mouse));
    } else this.show();
    this.events?.resized();
  }

  private blank(sequences: string): void {
    this.cursor = null;
    this.canvas.reset(sizeOf(this.around));
    this.around.writeNow(sequences);
  }

  private resized(): void {
    if (!this.isShown) return;
    this.blank(modes.hideCursor + modes.blankScreen);
    this.events?.resized();
  }

  private listenToProcess(): void {
    const { around, undo } = this;
    const resized = () => this.resized();
    const gone = () => this.hangUp();
    around.output.on("resize", resized);
    undo.push(() => around.output.removeListener("resize", resized));
    around.output.prependListener("error", gone);
    for (const event of ["end", "error"]) around.input.on(event, gone);
    undo.push(() => {
      around.output.removeListener("error", gone);
      for (const event of ["end", "error"]) around.input.removeListener(event, gone);
    });
    undo.push(
      around.onSignal((signal) => {
        if (signal === "SIGHUP") return gone();
        this.close();
        around.exit(128 + signalNumbers[signal]);
      }),
      around.onLeave(() => this.close()),
      around.onContinue(() => this.resume()),
      around.onStray(this.options.onStray),
    );
  }

  /** Most likely there is no terminal any more; if it was the signal alone, it is given back. */
  private hangUp(): void {
    if (this.isClosed) return;
    this.hide();
    this.close();
    this.around.hangUp();
  }

  private moveCursor(cursor: Place | null, hasDrawn: boolean): string {
    const isSame = cursor?.x === this.cursor?.x && cursor?.y === this.cursor?.y;
    if (isSame && !(hasDrawn && cursor !== null)) return "";
    this.cursor = cursor;
    return cursor === null ? modes.hideCursor : modes.cursorAt(cursor);
  }
}

function sizeOf({ output }: Surroundings): Size {
  return { columns: Math.max(1, output.columns ?? 80), rows: Math.max(1, output.rows ?? 24) };
}

function shownTitle(title: string, ascii: boolean): string {
  return cellsOf(cleanText(title, { multiline: false }))
    .slice(0, maxTitle)
    .map((cell) => shownCharacter(cell, ascii))
    .join("");
}

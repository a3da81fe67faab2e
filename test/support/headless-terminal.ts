import { Readable, Writable } from "node:stream";
// oxlint-disable-next-line import/default -- it is CommonJS
import unicode11 from "@xterm/addon-unicode11";
import xterm, { type IBufferCell } from "@xterm/headless";

/** A terminal in this process: what is written to it is parsed by xterm's own emulator, and read back as rows of text. */
export type HeadlessTerminal = ReturnType<typeof createHeadlessTerminal>;

type Size = { readonly columns: number; readonly rows: number };

class TtyIn extends Readable {
  readonly isTTY = true;
  isRaw = false;
  override _read(): void {}
  setRawMode(raw: boolean): this {
    this.isRaw = raw;
    return this;
  }
}

class TtyOut extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;
  private readonly take: (text: string) => void;

  constructor({ columns, rows }: Size, take: (text: string) => void) {
    super({ decodeStrings: false });
    this.columns = columns;
    this.rows = rows;
    this.take = take;
  }

  override _write(text: string | Buffer, _encoding: unknown, done: () => void): void {
    this.take(String(text));
    done();
  }
}

export function createHeadlessTerminal(size: Size = { columns: 80, rows: 24 }) {
  const { columns: cols, rows } = size;
  const emulator = new xterm.Terminal({ cols, rows, allowProposedApi: true, scrollback: 0 });
  emulator.loadAddon(new unicode11.Unicode11Addon());
  emulator.unicode.activeVersion = "11";
  const written: string[] = [];
  let parsing: Promise<void> = Promise.resolve();
  const input = new TtyIn();
  const output = new TtyOut(size, (text) => {
    written.push(text);
    parsing = new Promise((resolve) => emulator.write(text, resolve));
  });
  const cellAt = (x: number, y: number): IBufferCell => {
    const { active } = emulator.buffer;
    const cell = active.getLine(active.viewportY + y)?.getCell(x);
    if (cell === undefined) throw new RangeError(`No cell at column ${x} of row ${y}.`);
    return cell;
  };
  return {
    input,
    output,
    emulator,
    isRaw: () => input.isRaw,
    /** Everything that was sent to it so far. */
    written: () => written.join(""),
    /** What it shows, a row a string, without the spaces at the right. */
    async lines(): Promise<string[]> {
      await parsing;
      const { active } = emulator.buffer;
      return Array.from(
        { length: emulator.rows },
        (_, y) =>
          active
            .getLine(active.viewportY + y)
            ?.translateToString(true)
            .trimEnd() ?? "",
      );
    },
    async cell(x: number, y: number): Promise<ShownCell> {
      await parsing;
      return shownCell(cellAt(x, y));
    },
    /** The characters of one column, from above. */
    async column(x: number): Promise<string[]> {
      await parsing;
      return Array.from({ length: emulator.rows }, (_, y) => cellAt(x, y).getChars());
    },
    async cursor() {
      await parsing;
      const { cursorX: x, cursorY: y } = emulator.buffer.active;
      return { x, y };
    },
    /** As if it was typed, or sent by a key: one chunk. */
    keys: (text: string) => void input.emit("data", Buffer.from(text)),
    /** As a terminal sends what is pasted. */
    paste: (text: string) =>
      void input.emit("data", Buffer.from(`\u001b[200~${text.replaceAll("\n", "\r")}\u001b[201~`)),
    resize(columns: number, toRows: number): void {
      emulator.resize(columns, toRows);
      Object.assign(output, { columns, rows: toRows });
      output.emit("resize");
    },
  };
}

export type ShownCell = {
  readonly text: string;
  readonly width: number;
  /** Of the 256; undefined for the ordinary one. */
  readonly fg: number | undefined;
  readonly bg: number | undefined;
  readonly bold: boolean;
  readonly inverse: boolean;
  readonly underline: boolean;
};

function shownCell(cell: IBufferCell): ShownCell {
  return {
    text: cell.getChars(),
    width: cell.getWidth(),
    fg: cell.isFgDefault() ? undefined : cell.getFgColor(),
    bg: cell.isBgDefault() ? undefined : cell.getBgColor(),
    bold: cell.isBold() !== 0,
    inverse: cell.isInverse() !== 0,
    underline: cell.isUnderline() !== 0,
  };
}

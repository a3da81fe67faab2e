import type { Hint, Pane } from "../app/pane.ts";
import type { App } from "../app/app.ts";
import type { Line, Size, Style } from "../frame/frame.ts";
import { fitLine, line, span, styled } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, type SafeText } from "../frame/safe-text.ts";
import { type Column, layTable } from "../frame/table.ts";
import type { Key } from "../screen.ts";
import { type Fields, type FieldTests, parseFilter } from "./filter.ts";
import { RowCursor } from "./row-cursor.ts";

export type ListPaneOptions<T> = {
  readonly title: () => SafeText;
  readonly rows: () => readonly T[];
  readonly idOf: (row: T) => string;
  readonly columns?: readonly Column<T>[];
  /** Where it is no table: a row of this width. */
  readonly lineOf?: (row: T, width: number) => Line;
  /** What `/` looks at. */
  readonly fieldsOf: (row: T) => Fields;
  readonly fieldTests?: FieldTests;
  /** The traces that a row belongs to: a trace filter leaves out those that have others. */
  readonly tracesOf?: (row: T) => readonly string[];
  /** The actor that a row stands for: what is sent to "the chosen actor" reaches it. */
  readonly addressOf?: (row: T) => string | undefined;
  /** Which rows are counted, where some stand below others. */
  readonly isCounted?: (row: T) => boolean;
  /** What stands there instead of rows. */
  readonly empty: SafeText;
  /** Stays at the newest, last row. */
  readonly follows?: boolean;
  readonly onKey?: (key: Key, chosen: T | undefined) => boolean;
  /** Called again when the chosen row has changed. */
  readonly onChoice?: (chosen: T | undefined) => void;
  readonly shown?: () => void;
  readonly hints?: readonly Hint[] | (() => readonly Hint[]);
};

/** How the chosen row looks, in the pane that has the keys and in others. */
export const chosenMarks = {
  focused: { inverse: true },
  resting: { bold: true, underline: true },
} as const satisfies { readonly [name: string]: Style };

const following: Hint = { keys: own`f`, does: own`follow` };
const listHints: readonly Hint[] = [
  { keys: own`↑↓`, does: own`move` },
  { keys: own`/`, does: own`filter` },
];

/** A table of any length of which the rows in sight are drawn. */
export class ListPane<T> implements Pane {
  readonly filter = { text: "" };
  readonly cursor: RowCursor<T>;
  private readonly app: App;
  private readonly options: ListPaneOptions<T>;
  private told: T | undefined;
  /** Of the same rows and filters, the rows that are left are the same. */
  private found: { readonly of: readonly unknown[]; readonly rows: readonly T[] } | undefined;

  constructor(app: App, options: ListPaneOptions<T>) {
    this.app = app;
    this.options = options;
    this.cursor = new RowCursor(options.idOf, options.follows ?? false);
  }

  get hints(): readonly Hint[] {
    const { hints = [], follows } = this.options;
    const first = typeof hints === "function" ? hints() : hints;
    return [...first, ...listHints, ...(follows === undefined ? [] : [following])];
  }

  title(): SafeText {
    return this.options.title();
  }

  note(): Line {
    const { isCounted = () => true } = this.options;
    const all = this.options.rows().filter(isCounted).length;
    const matching = this.rows().filter(isCounted).length;
    const count = matching === all ? own`${all}` : own`${matching} of ${all}`;
    return [span(this.cursor.follows ? own`${count} ↓` : count)];
  }

  draw({ columns, rows: height }: Size, isFocused: boolean): Picture {
    const rows = this.rows();
    const { head, line: draw } = this.laid(columns);
    if (rows.length === 0) {
      this.tell(undefined);
      return { lines: [...head, line(this.emptyText(), { fg: "grey" })] };
    }
    const room = height - head.length;
    const { first, chosen } = this.cursor.window(rows, room);
    this.tell(rows[chosen]);
    const mark = chosenMarks[isFocused ? "focused" : "resting"];
    const lines = rows.slice(first, first + room).map((row, index) => {
      const drawn = draw(row);
      return first + index === chosen ? styled(fitLine(drawn, columns), mark) : drawn;
    });
    return { lines: [...head, ...lines] };
  }

  key(key: Key): boolean {
    const rows = this.rows();
    if (key.name === "f" && this.options.follows !== undefined) {
      this.cursor.follows = !this.cursor.follows;
      return true;
    }
    return this.options.onKey?.(key, this.chosen()) === true || this.cursor.key(key, rows);
  }

  trace(): string | undefined {
    const chosen = this.chosen();
    return chosen === undefined ? undefined : this.options.tracesOf?.(chosen)[0];
  }

  address(): string | undefined {
    const chosen = this.chosen();
    return chosen === undefined ? undefined : this.options.addressOf?.(chosen);
  }

  shown(): void {
    this.options.shown?.();
  }

  chosen(): T | undefined {
    return this.cursor.chosen(this.rows());
  }

  /** What the filters leave. */
  rows(): readonly T[] {
    const all = this.options.rows();
    const { trace } = this.app;
    const { text } = this.filter;
    const of = [all, all.length, all.at(-1), trace, text] as const;
    if (this.found === undefined || this.found.of.some((value, at) => value !== of[at]))
      this.found = { of, rows: this.narrowed(all) };
    return this.found.rows;
  }

  private narrowed(all: readonly T[]): readonly T[] {
    const { fieldsOf, fieldTests, tracesOf } = this.options;
    const { trace } = this.app;
    const ofTrace =
      trace === undefined || tracesOf === undefined
        ? all
        : all.filter((row) => tracesOf(row).includes(trace));
    if (this.filter.text.trim() === "") return ofTrace;
    const matches = parseFilter(this.filter.text, fieldTests);
    return ofTrace.filter((row) => matches(fieldsOf(row)));
  }

  private laid(width: number): { readonly head: readonly Line[]; line(row: T): Line } {
    const { columns = [], lineOf } = this.options;
    if (lineOf !== undefined) return { head: [], line: (row) => lineOf(row, width) };
    const table = layTable(columns, width);
    return { head: [table.head], line: table.line };
  }

  private emptyText(): SafeText {
    const isNarrowed = this.filter.text !== "" || this.app.trace !== undefined;
    return isNarrowed ? own`nothing matches; Esc clears the filter` : this.options.empty;
  }

  private tell(chosen: T | undefined): void {
    if (chosen === this.told) return;
    this.told = chosen;
    this.options.onChoice?.(chosen);
  }
}

import { cellsOf } from "../../text/cells.ts";
import { displayWidth } from "../../text/text-width.ts";
import type { Line } from "../frame/frame.ts";
import { line } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { safe, safeLines } from "../frame/safe-text.ts";
import type { Key } from "../screen.ts";

export type LineEditorOptions = {
  /** Whether it takes line breaks; otherwise those of a paste become spaces. */
  readonly multiline?: boolean;
  /** Earlier inputs, oldest first. */
  readonly history?: readonly string[];
  readonly text?: string;
};

const longest = 200_000;
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A text field: what is typed and pasted, and where the cursor stands in it. */
export class LineEditor {
  private readonly multiline: boolean;
  private readonly history: string[];
  /** Where in the history it is; at its end: in what is being typed. */
  private recalled: number;
  private draft = "";
  private before: string;
  private after = "";
  /** Folding long text takes a while: it is done once for each change. */
  private drawn:
    | {
        readonly before: string;
        readonly after: string;
        readonly width: number;
        readonly rows: number;
        readonly picture: Picture;
      }
    | undefined;

  constructor({ multiline = false, history = [], text = "" }: LineEditorOptions = {}) {
    this.multiline = multiline;
    this.history = [...history];
    this.recalled = this.history.length;
    this.before = text;
  }

  get text(): string {
    return this.before + this.after;
  }

  set text(text: string) {
    this.before = text;
    this.after = "";
  }

  /** Empties it; what was in it can be recalled. */
  take(): string {
    const { text } = this;
    if (text !== "" && this.history.at(-1) !== text) this.history.push(text);
    this.recalled = this.history.length;
    this.text = "";
    return text;
  }

  paste(text: string): void {
    this.insert(this.multiline ? text : text.replaceAll(/\s*\n\s*/g, " "));
  }

  /** @returns whether it was a key for a text field */
  key(key: Key): boolean {
    const act = this.actOf(key.name);
    if (act !== undefined) act();
    else if (key.text !== undefined) this.insert(key.text);
    else return false;
    return true;
  }

  /** In rows of `width` cells, the row with the cursor among the `rows` that are in sight. */
  draw(width: number, rows = 1): Picture {
    const { before, after, drawn } = this;
    const isSame = drawn?.before === before && drawn.after === after;
    if (isSame && drawn.width === width && drawn.rows === rows) return drawn.picture;
    const picture = this.folded(width, rows);
    this.drawn = { before, after, width, rows, picture };
    return picture;
  }

  private folded(width: number, rows: number): Picture {
    const wide = Math.max(2, width);
    const lines: string[] = [];
    const cursor = { x: 0, y: 0 };
    const drawn = safeLines(this.before);
    drawn.forEach((text, index) => {
      lines.push(...foldedAt(text, wide));
      if (index < drawn.length - 1) return;
      cursor.y = lines.length - 1;
      cursor.x = displayWidth(lines.at(-1) ?? "");
    });
    const [rest = "", ...below] = safeLines(this.after);
    const joined = foldedAt((lines.pop() ?? "") + rest, wide);
    lines.push(...joined, ...below.flatMap((text) => foldedAt(text, wide)));
    if (cursor.x >= wide) {
      cursor.x = 0;
      cursor.y += 1;
    }
    const first = Math.max(0, Math.min(cursor.y - rows + 1, lines.length - 1));
    const shown: Line[] = lines.slice(first, first + rows).map((text) => line(safe(text)));
    return { lines: shown, cursor: { x: cursor.x, y: cursor.y - first } };
  }

  private insert(text: string): void {
    const room = longest - this.text.length;
    this.before += text.slice(0, Math.max(0, room));
  }

  private actOf(name: string): (() => void) | undefined {
    const acts: { readonly [key: string]: (() => void) | undefined } = {
      "left": () => this.move(-1),
      "right": () => this.move(1),
      "C-b": () => this.move(-1),
      "C-f": () => this.move(1),
      "home": () => this.toLineStart(),
      "C-a": () => this.toLineStart(),
      "end": () => this.toLineEnd(),
      "C-e": () => this.toLineEnd(),
      "backspace": () => void (this.before = withoutLast(this.before)),
      "C-h": () => void (this.before = withoutLast(this.before)),
      "delete": () => void (this.after = withoutFirst(this.after)),
      "C-u": () => void (this.before = this.before.slice(0, this.before.lastIndexOf("\n") + 1)),
      "C-k": () => this.cutLineEnd(),
      "C-w": () => void (this.before = this.before.replace(/\S*\s*$/u, "")),
      "up": this.history.length > 0 ? () => this.recall(-1) : undefined,
      "down": this.history.length > 0 ? () => this.recall(1) : undefined,
      "C-j": this.multiline ? () => this.insert("\n") : undefined,
      "M-enter": this.multiline ? () => this.insert("\n") : undefined,
    };
    return Object.hasOwn(acts, name) ? acts[name] : undefined;
  }

  private move(step: 1 | -1): void {
    const { before, after } = this;
    if (step < 0) {
      this.before = withoutLast(before);
      this.after = before.slice(this.before.length) + after;
    } else {
      this.after = withoutFirst(after);
      this.before = before + after.slice(0, after.length - this.after.length);
    }
  }

  private toLineStart(): void {
    const { text } = this;
    const at = this.before.lastIndexOf("\n") + 1;
    this.before = text.slice(0, at);
    this.after = text.slice(at);
  }

  private toLineEnd(): void {
    const { text, before } = this;
    const end = text.indexOf("\n", before.length);
    const at = end < 0 ? text.length : end;
    this.before = text.slice(0, at);
    this.after = text.slice(at);
  }

  private cutLineEnd(): void {
    const end = this.after.indexOf("\n");
    this.after = end < 0 ? "" : this.after.slice(end);
  }

  private recall(step: 1 | -1): void {
    if (this.recalled === this.history.length) this.draft = this.text;
    this.recalled = Math.max(0, Math.min(this.history.length, this.recalled + step));
    this.text = this.history[this.recalled] ?? this.draft;
  }
}

function withoutLast(text: string): string {
  const tail = text.slice(-64);
  const last = [...segmenter.segment(tail)].at(-1)?.segment ?? "";
  return text.slice(0, text.length - last.length);
}

function withoutFirst(text: string): string {
  const [first] = segmenter.segment(text.slice(0, 64));
  return text.slice(first?.segment.length ?? 0);
}

/** Broken wherever a row is full. */
function foldedAt(text: string, width: number): string[] {
  const rows = [""];
  let used = 0;
  for (const { source, width: wide } of cellsOf(text)) {
    if (used + wide > width) {
      rows.push("");
      used = 0;
    }
    rows[rows.length - 1] += source;
    used += wide;
  }
  return rows;
}

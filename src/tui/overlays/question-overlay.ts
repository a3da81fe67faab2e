import type { App } from "../app/app.ts";
import type { Hint, Overlay } from "../app/pane.ts";
import type { Line, Size } from "../frame/frame.ts";
import { blank, line, span } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, type SafeText } from "../frame/safe-text.ts";
import type { Key } from "../screen.ts";
import { LineEditor } from "../widgets/line-editor.ts";

export type Field = {
  readonly name: string;
  readonly label: SafeText;
  /** What goes in there. */
  readonly about?: SafeText;
  readonly text?: string;
};

export type QuestionOptions = {
  readonly title: SafeText;
  /** What is asked, or about to happen. */
  readonly about: (width: number) => readonly Line[];
  readonly fields: readonly Field[];
  /** @returns what is wrong with it, if anything; then it stays open */
  readonly onDone: (values: { readonly [name: string]: string }) => SafeText | undefined;
};

/** Fields to fill in, over everything else; without fields: a confirmation. */
export class QuestionOverlay implements Overlay {
  readonly hints: readonly Hint[];
  private readonly app: App;
  private readonly options: QuestionOptions;
  private readonly editors: readonly LineEditor[];
  private at = 0;
  private fault: SafeText | undefined;

  constructor(app: App, options: QuestionOptions) {
    this.app = app;
    this.options = options;
    this.editors = options.fields.map(
      ({ text }) => new LineEditor(text === undefined ? {} : { text }),
    );
    const between: Hint[] =
      options.fields.length > 1 ? [{ keys: own`Tab`, does: own`next field` }] : [];
    this.hints = [
      { keys: own`Enter`, does: options.fields.length === 0 ? own`yes` : own`done` },
      ...between,
      { keys: own`Esc`, does: own`back` },
    ];
  }

  wants({ columns }: Size): Size {
    const width = Math.min(columns, 90);
    const rows = this.options.about(width - 2).length + this.options.fields.length * 2 + 4;
    return { columns: width, rows };
  }

  title(): SafeText {
    return this.options.title;
  }

  draw({ columns }: Size): Picture {
    const lines: Line[] = [...this.options.about(columns), blank];
    let cursor = { x: 0, y: 0 };
    this.options.fields.forEach(({ label, about }, index) => {
      const drawn = this.editors[index]?.draw(columns - 2);
      const isHere = index === this.at;
      const note = about === undefined ? [] : [span(own`  ${about}`, { fg: "grey" } as const)];
      lines.push([span(label, isHere ? { bold: true } : { fg: "grey" }), ...note]);
      if (isHere) cursor = { x: (drawn?.cursor?.x ?? 0) + 2, y: lines.length };
      lines.push([span(isHere ? own`› ` : own`  `), ...(drawn?.lines[0] ?? [])]);
    });
    lines.push(this.fault === undefined ? blank : line(this.fault, { fg: "red" }));
    return this.options.fields.length === 0 ? { lines } : { lines, cursor };
  }

  key(key: Key): boolean {
    const { fields } = this.options;
    if (key.name === "escape" || key.name === "C-c") return false;
    if (key.name === "enter") this.finish();
    else if (key.name === "tab" || key.name === "down")
      this.at = (this.at + 1) % Math.max(1, fields.length);
    else if (key.name === "S-tab" || key.name === "up")
      this.at = (this.at - 1 + fields.length) % Math.max(1, fields.length);
    else if (fields.length === 0) return false;
    else this.editors[this.at]?.key(key);
    return true;
  }

  paste(text: string): void {
    this.editors[this.at]?.paste(text);
  }

  isTyping(): boolean {
    return this.options.fields.length > 0;
  }

  private finish(): void {
    const values = Object.fromEntries(
      this.options.fields.map(({ name }, index) => [name, this.editors[index]?.text ?? ""]),
    );
    this.fault = this.options.onDone(values);
    if (this.fault === undefined) this.app.close(this);
  }
}

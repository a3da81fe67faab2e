import type { App } from "../app/app.ts";
import type { Hint, Overlay } from "../app/pane.ts";
import type { Line, Place, Size } from "../frame/frame.ts";
import { blank, line, span } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, type SafeText, wrappedWords } from "../frame/safe-text.ts";
import type { Key } from "../screen.ts";
import { LineEditor } from "../widgets/line-editor.ts";

export type Field = {
  readonly name: string;
  readonly label: SafeText;
  /** What goes in there. */
  readonly about?: SafeText;
  readonly text?: string;
  /** Takes line breaks (Alt-Enter), and is shown in several rows. */
  readonly multiline?: boolean;
};

type Fault = SafeText | undefined;

export type QuestionOptions = {
  readonly title: SafeText;
  /** What is asked, or about to happen. */
  readonly about: (width: number) => readonly Line[];
  readonly fields: readonly Field[];
  /** @returns what is wrong with it, if anything, maybe after a while; then it stays open with all that was typed */
  readonly onDone: (values: { readonly [name: string]: string }) => Fault | Promise<Fault>;
};

const mostRows = 6;

/** Fields to fill in, over everything else; without fields: a confirmation. */
export class QuestionOverlay implements Overlay {
  readonly hints: readonly Hint[];
  private readonly app: App;
  private readonly options: QuestionOptions;
  private readonly editors: readonly LineEditor[];
  private at = 0;
  private fault: Fault;
  private state: "open" | "sending" | "left" = "open";

  constructor(app: App, options: QuestionOptions) {
    this.app = app;
    this.options = options;
    this.editors = options.fields.map(
      ({ text = "", multiline = false }) => new LineEditor({ text, multiline }),
    );
    const between: Hint[] =
      options.fields.length > 1 ? [{ keys: own`Tab`, does: own`next field` }] : [];
    this.hints = [
      { keys: own`Enter`, does: options.fields.length === 0 ? own`yes` : own`done` },
      ...between,
      { keys: own`Esc`, does: own`back`, isVital: true },
    ];
  }

  wants({ columns }: Size): Size {
    const width = Math.min(columns, 90);
    const inside = width - 2;
    const fields = this.editors.reduce((sum, editor) => sum + 1 + rowsOf(editor, inside), 0);
    const fault = Math.max(1, this.faultLines(inside).length);
    return { columns: width, rows: this.options.about(inside).length + fields + fault + 3 };
  }

  title(): SafeText {
    return this.options.title;
  }

  draw({ columns }: Size): Picture {
    const lines: Line[] = [...this.options.about(columns), blank];
    let cursor: Place = { x: 0, y: 0 };
    this.options.fields.forEach((field, index) => {
      const drawn = this.drawField(field, index, columns);
      const { x, y } = drawn.cursor;
      if (index === this.at) cursor = { x, y: lines.length + y };
      lines.push(...drawn.lines);
    });
    lines.push(...this.faultLines(columns));
    return this.options.fields.length === 0 ? { lines } : { lines, cursor };
  }

  private drawField({ label, about }: Field, index: number, columns: number): Required<Picture> {
    const { lines = [], cursor } = this.editors[index]?.draw(columns - 2, mostRows) ?? {};
    const isHere = index === this.at;
    const note = about === undefined ? [] : [span(own`  ${about}`, { fg: "grey" } as const)];
    const name = [span(label, isHere ? { bold: true } : { fg: "grey" }), ...note];
    const typed = lines.map((each, row) => [
      span(isHere && row === 0 ? own`› ` : own`  `),
      ...each,
    ]);
    const { x = 0, y = 0 } = cursor ?? {};
    return { lines: [name, ...typed], cursor: { x: x + 2, y: y + 1 } };
  }

  key(key: Key): boolean {
    const { fields } = this.options;
    if (key.name === "escape" || key.name === "C-c") {
      this.state = "left";
      return false;
    }
    if (this.state === "sending") return true;
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
    const said = this.options.onDone(values);
    if (!(said instanceof Promise)) return this.end(said);
    this.state = "sending";
    void said.then((fault) => this.end(fault));
  }

  private end(fault: Fault): void {
    this.fault = fault;
    if (fault === undefined) this.app.close(this);
    else if (this.state === "left") this.app.say(fault, "bad");
    else this.state = "open";
    this.app.changed();
  }

  private faultLines(width: number): Line[] {
    if (this.state === "sending") return [line(own`sending …`, { fg: "grey" })];
    if (this.fault === undefined) return [blank];
    return wrappedWords(this.fault, width).map((each) => line(each, { fg: "red" }));
  }
}

function rowsOf(editor: LineEditor, width: number): number {
  return editor.draw(width - 2, mostRows).lines.length;
}

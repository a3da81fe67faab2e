import type { App } from "../app/app.ts";
import type { Hint, Overlay } from "../app/pane.ts";
import type { Line, Size } from "../frame/frame.ts";
import { fitLine, line, span, styled } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, type SafeText } from "../frame/safe-text.ts";
import type { Key } from "../screen.ts";
import { chosenMarks } from "../widgets/list-pane.ts";
import { RowCursor } from "../widgets/row-cursor.ts";

export type Choice = {
  readonly name: SafeText;
  /** What it means. */
  readonly about: SafeText;
  /** One that cannot be taken, and is shown so that people see why. */
  readonly isOff?: true;
};

export type PickerOptions<C extends Choice> = {
  readonly title: SafeText;
  readonly choices: readonly C[];
  readonly onPick: (choice: C) => void;
};

/** A list over everything else, to choose one thing from. */
export class Picker<C extends Choice> implements Overlay {
  readonly hints: readonly Hint[] = [
    { keys: own`↑↓`, does: own`move` },
    { keys: own`Enter`, does: own`choose` },
    { keys: own`Esc`, does: own`back`, isVital: true },
  ];
  private readonly app: App;
  private readonly options: PickerOptions<C>;
  private readonly cursor = new RowCursor<C>(({ name }) => name);

  constructor(app: App, options: PickerOptions<C>) {
    this.app = app;
    this.options = options;
  }

  wants({ columns }: Size): Size {
    return { columns: Math.min(columns, 90), rows: this.options.choices.length + 2 };
  }

  title(): SafeText {
    return this.options.title;
  }

  draw({ columns, rows }: Size): Picture {
    const { choices } = this.options;
    const { first, chosen } = this.cursor.window(choices, rows);
    const nameWidth = Math.max(...choices.map(({ name }) => name.length), 4) + 2;
    const lines = choices.slice(first, first + rows).map((choice, index): Line => {
      const row = fitLine(rowOf(choice, nameWidth), columns);
      return first + index === chosen ? styled(row, chosenMarks.focused) : row;
    });
    return { lines: lines.length === 0 ? [line(own`nothing to choose from`)] : lines };
  }

  key(key: Key): boolean {
    const { choices, onPick } = this.options;
    if (key.name !== "enter") return this.cursor.key(key, choices);
    const choice = this.cursor.chosen(choices);
    if (choice === undefined || choice.isOff === true) return true;
    this.app.close(this);
    onPick(choice);
    return true;
  }
}

function rowOf({ name, about, isOff }: Choice, nameWidth: number): Line {
  const look = isOff === true ? ({ fg: "grey" } as const) : ({ bold: true } as const);
  return [...fitLine([span(own` ${name}`, look)], nameWidth), span(own` ${about}`, { fg: "grey" })];
}

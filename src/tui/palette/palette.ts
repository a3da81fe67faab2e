import type { GlobalKeys } from "../app/global-keys.ts";
import type { Hint, Overlay } from "../app/pane.ts";
import type { Line, Size } from "../frame/frame.ts";
import { fitLine, line, span, styled } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { joined, own, safe, type SafeText } from "../frame/safe-text.ts";
import type { Key } from "../screen.ts";
import { LineEditor } from "../widgets/line-editor.ts";
import { chosenMarks } from "../widgets/list-pane.ts";
import { RowCursor } from "../widgets/row-cursor.ts";
import { matching, nearTo, type PaletteCommand } from "./palette-command.ts";
import { paletteCommands } from "./palette-commands.ts";

/** A row of the list below what is typed: what Tab makes of it. */
type Offer = { readonly text: string; readonly shown: SafeText; readonly about: SafeText };

type Typed = {
  readonly name: string;
  /** Undefined while the name is typed. */
  readonly rest: string | undefined;
};

const typedRows = 2;
const mostOffers = 200;
const moves = new Set(["up", "down", "pageup", "pagedown"]);

/** Commands that are typed, with a list that narrows meanwhile. */
export class Palette implements Overlay {
  readonly hints: readonly Hint[] = [
    { keys: own`Enter`, does: own`do it` },
    { keys: own`Tab`, does: own`complete` },
    { keys: own`↑↓`, does: own`choose` },
    { keys: own`Esc`, does: own`back`, isVital: true },
  ];
  private readonly tui: GlobalKeys;
  private readonly commands: readonly PaletteCommand[];
  private readonly editor = new LineEditor();
  private cursor = newCursor();
  private fault: SafeText | undefined;

  constructor(tui: GlobalKeys) {
    this.tui = tui;
    this.commands = paletteCommands(tui);
  }

  wants({ columns }: Size): Size {
    return { columns: Math.min(columns, 90), rows: this.commands.length + typedRows + 2 };
  }

  title(): SafeText {
    return own`what do you want to do?`;
  }

  draw({ columns, rows }: Size): Picture {
    const typed = this.editor.draw(columns - 2);
    const offers = this.offers();
    const { first, chosen } = this.cursor.window(offers, rows - typedRows);
    const nameWidth = Math.min(40, Math.max(...offers.map(({ shown }) => shown.length), 8) + 2);
    const list = offers.slice(first, first + rows - typedRows).map((offer, index): Line => {
      const row = fitLine(
        [
          ...fitLine([span(own` ${offer.shown}`, { bold: true })], nameWidth),
          span(own` ${offer.about}`, { fg: "grey" }),
        ],
        columns,
      );
      return first + index === chosen ? styled(row, chosenMarks.focused) : row;
    });
    return {
      lines: [
        [span(own`: `, { bold: true }), ...(typed.lines[0] ?? [])],
        line(this.fault ?? this.usage(), { fg: this.fault === undefined ? "grey" : "red" }),
        ...list,
      ],
      cursor: { x: (typed.cursor?.x ?? 0) + 2, y: 0 },
    };
  }

  key(key: Key): boolean {
    if (key.name === "escape" || key.name === "C-c") return false;
    if (moves.has(key.name)) return this.cursor.key(key, this.offers());
    if (key.name === "enter") this.finish();
    else if (key.name === "tab") this.complete();
    else {
      this.editor.key(key);
      this.edited();
    }
    return true;
  }

  paste(text: string): void {
    this.editor.paste(text);
    this.edited();
  }

  isTyping(): boolean {
    return true;
  }

  private edited(): void {
    this.fault = undefined;
    this.cursor = newCursor();
  }

  private typed(): Typed {
    const text = this.editor.text.replace(/^[\s:]+/u, "");
    const at = text.search(/\s/u);
    if (at < 0) return { name: text, rest: undefined };
    return { name: text.slice(0, at), rest: text.slice(at).trim() };
  }

  private command(name: string): PaletteCommand | undefined {
    return this.commands.find((command) => command.name === name.toLowerCase());
  }

  private offers(): readonly Offer[] {
    const { name, rest } = this.typed();
    if (rest === undefined)
      return matching(this.commands, name).map(({ name: text, takes, about }) => ({
        text,
        shown: takes === undefined ? safe(text) : own`${safe(text)} ${takes}`,
        about,
      }));
    const offered = this.command(name)?.offers?.(this.tui) ?? [];
    return offered
      .filter((text) => text.toLowerCase().includes(rest.toLowerCase()))
      .slice(0, mostOffers)
      .map((text) => ({ text, shown: safe(text), about: own`` }));
  }

  private usage(): SafeText {
    const { name, rest } = this.typed();
    const command = this.command(name);
    if (command === undefined || rest === undefined) return own``;
    return own`${safe(command.name)} ${command.takes ?? own``}: ${command.about}`;
  }

  private complete(): void {
    const offer = this.cursor.chosen(this.offers());
    if (offer === undefined) return;
    const { name, rest } = this.typed();
    const isName = rest === undefined;
    const takesMore = isName && this.command(offer.text)?.takes !== undefined;
    this.editor.text = isName ? `${offer.text}${takesMore ? " " : ""}` : `${name} ${offer.text}`;
    this.edited();
  }

  /** While a name is typed the chosen one of the list is meant; behind it, what was typed, or what the arrows chose. */
  private finish(): void {
    const { name, rest } = this.typed();
    const chosen = rest === undefined ? this.cursor.chosen(this.offers())?.text : name;
    const command = this.command(chosen ?? name);
    if (command === undefined) {
      this.fault = this.unknown(name);
      return;
    }
    const isLacking = rest === undefined && command.takes?.startsWith("[") === false;
    if (isLacking) return this.complete();
    this.tui.close(this);
    this.fault = command.run(this.tui, rest ?? "");
    if (this.fault !== undefined) this.tui.open(this);
  }

  private unknown(name: string): SafeText {
    const near = nearTo(this.commands, name);
    const hint =
      near.length === 0
        ? own`empty what is typed to see all`
        : own`near it: ${joined(near.map(safe), own`, `)}`;
    return own`there is no ${safe(name)}; ${hint}`;
  }
}

function newCursor(): RowCursor<Offer> {
  return new RowCursor<Offer>(({ text }) => text);
}

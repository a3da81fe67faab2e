import type { Click, Key } from "../screen.ts";
import { keyOf } from "./key-names.ts";

export type InputEvent =
  | { readonly kind: "key"; readonly key: Key }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "click"; readonly click: Click };

const pasteStart = "\u001b[200~";
const pasteEnd = "\u001b[201~";
const escape = "\u001b";
const interrupt = "\u0003";
const maxPaste = 1 << 20;
const maxHeld = 4_096;

/** Answers that a program before us asked for; none of our keys. */
const answer = String.raw`\u001b[\]P_X^][^\u0007\u001b]*(?:\u0007|\u001b\\)`;
const oldMouse = String.raw`\u001b\[M[^]{3}`;
const linuxKey = String.raw`\u001b\[\[[A-E]`;
const control = String.raw`\u001b{1,2}\[[0-?]*[ -\/]*[@-~]`;
const single = String.raw`\u001b{1,2}O[0-9;]*[A-Za-z]`;
const meta = String.raw`\u001b[^\u001b]`;
const whole = new RegExp(
  [answer, oldMouse, linuxKey, control, single, meta, "[^]"].join("|"),
  "uy",
);
const unfinished = new RegExp(
  [
    String.raw`^\u001b{1,2}(?:\[(?:\[|[0-?]*[ -\/]*)|O[0-9;]*)?$`,
    String.raw`^\u001b\[M[^]{0,2}$`,
    String.raw`^\u001b[\]P_X^][^\u0007\u001b]*\u001b?$`,
  ].join("|"),
  "u",
);
const ignored = new RegExp(`^(?:${answer}|${oldMouse})$`, "u");
const mouse = /^\u001b\[<(\d+);(\d+);(\d+)([Mm])$/;

/** What comes from the keyboard, cut into presses, pastes and clicks. A paste never becomes a press, however it is split. */
export class InputDecoder {
  private held = "";
  /** Null: not inside a paste. */
  private pasted: string | null = null;
  private isStalled = false;

  /** Whether an unfinished sequence waits for its rest: or for `expire`, if nothing follows for a while. */
  get isHolding(): boolean {
    return this.held !== "" && this.pasted === null;
  }

  get isPasting(): boolean {
    return this.pasted !== null;
  }

  /** Nothing came for long, and the end of the paste may be lost: Ctrl-C gives the keyboard back. */
  stall(): void {
    this.isStalled = this.isPasting;
  }

  feed(text: string): InputEvent[] {
    if (this.isStalled && text === interrupt) return [this.endPaste("")];
    this.isStalled = false;
    const found: InputEvent[] = [];
    let rest = this.held + text;
    this.held = "";
    while (rest !== "")
      rest = this.pasted === null ? this.press(rest, found) : this.paste(rest, found);
    return found;
  }

  /** Takes what is held for what it is: Escape, or Alt with a key. */
  expire(): InputEvent[] {
    const { held } = this;
    this.held = "";
    if (/^\u001b+$/.test(held)) return Array.from(held).flatMap((each) => pressed(each));
    return held.length === 2 ? pressed(held) : [];
  }

  /** @returns what is left of it */
  private press(text: string, found: InputEvent[]): string {
    if (text.startsWith(pasteStart)) {
      this.pasted = "";
      return text.slice(pasteStart.length);
    }
    if (unfinished.test(text) && text.length <= maxHeld) {
      this.held = text;
      return "";
    }
    whole.lastIndex = 0;
    const [one = ""] = whole.exec(text) ?? [text];
    found.push(...eventsOf(one));
    return text.slice(one.length);
  }

  private paste(text: string, found: InputEvent[]): string {
    const end = text.indexOf(pasteEnd);
    if (end >= 0) {
      found.push(this.endPaste(text.slice(0, end)));
      return text.slice(end + pasteEnd.length);
    }
    const escapeAt = text.lastIndexOf(escape);
    const isSplit = escapeAt >= 0 && pasteEnd.startsWith(text.slice(escapeAt));
    this.held = isSplit ? text.slice(escapeAt) : "";
    this.keep(isSplit ? text.slice(0, escapeAt) : text);
    return "";
  }

  private keep(text: string): void {
    const before = this.pasted ?? "";
    this.pasted = before + text.slice(0, maxPaste - before.length);
  }

  private endPaste(last: string): InputEvent {
    this.keep(last);
    const text = (this.pasted ?? "").replaceAll(/\r\n?/g, "\n");
    this.pasted = null;
    this.isStalled = false;
    return { kind: "paste", text };
  }
}

function eventsOf(one: string): InputEvent[] {
  if (ignored.test(one)) return [];
  const parts = mouse.exec(one);
  return parts === null ? pressed(one) : clicked(parts);
}

function pressed(one: string): InputEvent[] {
  const key = keyOf(one);
  return key === undefined ? [] : [{ kind: "key", key }];
}

const bits = { button: 3, moved: 32, wheel: 64 } as const;

function clicked([, code, column, row, final]: RegExpExecArray): InputEvent[] {
  const button = Number(code);
  if (final !== "M" || (button & bits.moved) !== 0) return [];
  const which = button & bits.button;
  const kinds =
    (button & bits.wheel) === 0 ? (["press"] as const) : (["wheelup", "wheeldown"] as const);
  const kind = kinds[which];
  if (kind === undefined) return [];
  return [{ kind: "click", click: { kind, x: Number(column) - 1, y: Number(row) - 1 } }];
}

import type { Frame, Place, Size } from "./frame/frame.ts";

/** The terminal as the rest of the interface sees it; blessed stands behind it, in terminal/ alone. */

/** A key that was pressed, never a part of a paste.
 *
 *  `name`: `up`, `down`, `left`, `right`, `pageup`, `pagedown`, `home`, `end`, `enter`, `escape`, `tab`, `S-tab`, `backspace`,
 *  `delete`, `f1` to `f12`, `C-a` (with Ctrl), `M-enter` (with Alt); what is typed is named by itself: `a`, `A`, `/`, ` `, `漢`. */
export type Key = {
  readonly name: string;
  /** What it types into a field; absent for keys that type nothing. */
  readonly text?: string;
};

export type Click = Place & { readonly kind: "press" | "wheelup" | "wheeldown" };

export type ScreenEvents = {
  key(key: Key): void;
  /** Text of the clipboard, as it was pasted: hostile. */
  paste(text: string): void;
  click(click: Click): void;
  /** The size is another one, or the terminal came back after a suspend: what it shows is to be drawn anew. */
  resized(): void;
};

export type Screen = {
  size(): Size;
  /** Shows it; only cells that differ are sent. */
  draw(frame: Frame): void;
  /** The next frame is sent whole: something else may have written over it. */
  refresh(): void;
  listen(events: ScreenEvents): void;
  /** Gives the terminal back to the shell until SIGCONT. */
  suspend(): void;
  bell(): void;
  /** Leaves the terminal as it was before; a second call does nothing. */
  close(): void;
};

export type ScreenOptions = {
  /** False: bold, inverse and underline only. */
  readonly colours: boolean;
  /** Only characters of ASCII. */
  readonly ascii: boolean;
  readonly mouse: boolean;
};

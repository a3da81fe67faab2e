import type { Line, Size } from "../frame/frame.ts";
import type { Picture } from "../frame/picture.ts";
import type { SafeText } from "../frame/safe-text.ts";
import type { Key } from "../screen.ts";

/** What a key does, for the row of hints and for the help. */
export type Hint = {
  readonly keys: SafeText;
  readonly does: SafeText;
  /** Shown however little room there is. */
  readonly isVital?: true;
};

/** One part of a view. It draws what is in the model at that moment, and takes keys while it has the focus. */
export type Pane = {
  title(): SafeText;
  /** At the right of its border. */
  note?(): Line;
  /** What is inside its border. */
  draw(size: Size, isFocused: boolean): Picture;
  /** @returns false for a key that means nothing here; it is looked for further out */
  key(key: Key): boolean;
  /** Takes a paste, where text is typed; everywhere else a paste is refused. */
  paste?(text: string): void;
  /** The most useful first: the row of hints shows as many as fit. */
  readonly hints: readonly Hint[];
  /** Narrows its rows to what matches; undefined for panes that `/` does nothing in. */
  filter?: { text: string };
  /** The trace of what is chosen. */
  trace?(): string | undefined;
  /** The actor that is chosen, by its address. */
  address?(): string | undefined;
  /** Whether keys are typed into it, so that letters are no commands. */
  isTyping?(): boolean;
  /** The terminal has taken the picture with what was drawn last. */
  painted?(): void;
  /** It came into sight. */
  shown?(): void;
};

/** A pane over all others, which takes every key until it is closed. */
export type Overlay = Pane & {
  /** What it would like to have of the screen. */
  wants(screen: Size): Size;
};

import type { Hint } from "../app/pane.ts";
import type { Line } from "../frame/frame.ts";
import { span } from "../frame/line.ts";
import { own, type SafeText } from "../frame/safe-text.ts";
import type { Key } from "../screen.ts";

/** Which of a pane's faces is shown; their names stand in its border. */
export class Tabs<T extends string> {
  static readonly hint: Hint = { keys: own`←→`, does: own`tabs` };
  current: T;
  private readonly words: { readonly [tab in T]: SafeText };
  private readonly names: readonly T[];

  constructor(words: { readonly [tab in T]: SafeText }, first: T) {
    this.words = words;
    this.names = Object.keys(words) as T[];
    this.current = first;
  }

  line(): Line {
    return this.names.flatMap((name, index) => [
      ...(index === 0 ? [] : [span(own` · `, { fg: "grey" } as const)]),
      span(
        this.words[name],
        name === this.current ? { bold: true, underline: true } : { fg: "grey" },
      ),
    ]);
  }

  /** @returns whether it was a key that leads to another one */
  key({ name }: Key): boolean {
    const step = name === "right" || name === "l" ? 1 : name === "left" || name === "h" ? -1 : 0;
    if (step !== 0) this.turn(step);
    return step !== 0;
  }

  turn(step: 1 | -1): void {
    const { names } = this;
    const at = (names.indexOf(this.current) + step + names.length) % names.length;
    this.current = names[at] ?? this.current;
  }
}

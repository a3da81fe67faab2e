import type { Together } from "../../client/chat/together.ts";
import type { App } from "../app/app.ts";
import type { Hint, Overlay } from "../app/pane.ts";
import type { Line, Size } from "../frame/frame.ts";
import { blank } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import type { Key } from "../screen.ts";
import { Scroll } from "../widgets/scroll.ts";
import type { Word } from "./deciding.ts";
import { belowLine, keysLines } from "./key-row.ts";
import { questionLines } from "./question-lines.ts";
import { isReadable, Sight, tooSoon } from "./sight.ts";

const wordsByKey: { readonly [key: string]: "approve" | "deny" } = { y: "approve", n: "deny" };

/** The calls of one step, each whole, which one word decides as they are shown. */
export class TogetherOverlay implements Overlay {
  readonly hints: readonly Hint[];
  private readonly app: App;
  private readonly together: Together;
  private readonly decide: (word: Pick<Word, "decision">) => void;
  private readonly scroll = new Scroll();
  private readonly sight: Sight;
  private lineCount = 0;

  constructor(app: App, together: Together, decide: (word: Pick<Word, "decision">) => void) {
    this.app = app;
    this.together = together;
    this.decide = decide;
    this.sight = new Sight(app.timers);
    const count = together.approvals.length;
    this.hints = [
      { keys: own`y`, does: own`allow all ${count} once` },
      { keys: own`n`, does: own`deny all ${count}` },
      { keys: own`↑↓ PgUp PgDn`, does: own`scroll` },
      { keys: own`Esc`, does: own`one by one` },
    ];
  }

  wants({ columns, rows }: Size): Size {
    return { columns: Math.min(columns, 120), rows };
  }

  title(): SafeText {
    const { approvals, step_id } = this.together;
    return own`${approvals.length} calls of step ${safe(step_id)}, together`;
  }

  draw(size: Size): Picture {
    if (isReadable(size)) this.sight.see(this.together.binding);
    else this.sight.lose();
    const lines = this.lines(size.columns);
    this.lineCount = lines.length;
    const room = { columns: size.columns, rows: size.rows - 2 };
    const shown = this.scroll.window(lines, room);
    const filling = Array.from({ length: Math.max(0, room.rows - shown.length) }, () => blank);
    return {
      lines: [
        ...shown,
        ...filling,
        belowLine(this.scroll.below(lines.length)),
        ...keysLines(this.hints.slice(0, 2), size.columns),
      ],
    };
  }

  painted(): void {
    this.sight.painted();
  }

  key(key: Key): boolean {
    const decision = Object.hasOwn(wordsByKey, key.name) ? wordsByKey[key.name] : undefined;
    if (decision === undefined) return this.scroll.key(key, this.lineCount);
    if (!this.sight.hasRead(this.together.binding)) {
      this.app.say(tooSoon);
      return true;
    }
    this.app.close(this);
    this.decide({ decision });
    return true;
  }

  private lines(width: number): Line[] {
    const now = this.app.timers.now();
    return this.together.approvals.flatMap((one, index) => [
      ...(index === 0 ? [] : [blank]),
      ...questionLines(one, { now, width }),
    ]);
  }
}

import type { ShownMemoryHit } from "../../schema/shown/shown-memory.ts";
import type { App } from "../app/app.ts";
import type { Hint, Overlay } from "../app/pane.ts";
import type { Line, Size } from "../frame/frame.ts";
import { fitLine, line, span, styled } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import { hitLine, hitLines, placeOf } from "../look/memory-look.ts";
import { TextOverlay } from "../overlays/text-overlay.ts";
import type { Key } from "../screen.ts";
import { LineEditor } from "../widgets/line-editor.ts";
import { chosenMarks } from "../widgets/list-pane.ts";
import { RowCursor } from "../widgets/row-cursor.ts";

const typedRows = 2;
const mostHits = 30;
const moves = new Set(["up", "down", "pageup", "pagedown"]);

/** What is remembered of something: words are typed, the best memories stand below. */
export class MemorySearch implements Overlay {
  readonly hints: readonly Hint[] = [
    { keys: own`Enter`, does: own`search, then: whole memory` },
    { keys: own`↑↓`, does: own`choose` },
    { keys: own`Esc`, does: own`back`, isVital: true },
  ];
  private readonly app: App;
  private readonly editor: LineEditor;
  private cursor = newCursor();
  /** What was searched for last, and what came of it; undefined while it is on its way. */
  private found: { readonly of: string; readonly hits?: readonly ShownMemoryHit[] } | undefined;

  constructor(app: App, words = "") {
    this.app = app;
    this.editor = new LineEditor({ text: words });
    if (words !== "") void this.search(words);
  }

  wants({ columns, rows }: Size): Size {
    return { columns: Math.min(columns, 110), rows: Math.min(rows, 24) };
  }

  title(): SafeText {
    return own`search memory`;
  }

  draw({ columns, rows }: Size): Picture {
    const typed = this.editor.draw(columns - 2);
    const hits = this.hits();
    const { first, chosen } = this.cursor.window(hits, rows - typedRows);
    const list = hits.slice(first, first + rows - typedRows).map((hit, index): Line => {
      const row = fitLine(hitLine(hit), columns);
      return first + index === chosen ? styled(row, chosenMarks.focused) : row;
    });
    return {
      lines: [
        [span(own`› `, { bold: true }), ...(typed.lines[0] ?? [])],
        line(this.told(), { fg: "grey" }),
        ...list,
      ],
      cursor: { x: (typed.cursor?.x ?? 0) + 2, y: 0 },
    };
  }

  key(key: Key): boolean {
    if (key.name === "escape" || key.name === "C-c") return false;
    if (moves.has(key.name)) return this.cursor.key(key, this.hits());
    if (key.name === "enter") this.enter();
    else this.editor.key(key);
    return true;
  }

  paste(text: string): void {
    this.editor.paste(text);
  }

  isTyping(): boolean {
    return true;
  }

  private hits(): readonly ShownMemoryHit[] {
    return this.found?.hits ?? [];
  }

  private enter(): void {
    const words = this.editor.text.trim();
    if (words === "") return;
    if (words !== this.found?.of) return void this.search(words);
    const hit = this.cursor.chosen(this.hits());
    if (hit === undefined) return;
    const lines = (width: number) => hitLines(hit, width);
    this.app.open(new TextOverlay({ title: placeOf(hit), lines }));
  }

  private async search(words: string): Promise<void> {
    this.found = { of: words };
    const hits = await this.app.ask("memory.search", { query: words, limit: mostHits });
    if (this.found.of !== words) return;
    this.found = hits === undefined ? undefined : { of: words, hits };
    this.cursor = newCursor();
    this.app.changed();
  }

  private told(): SafeText {
    if (this.found === undefined) return own`what is to be found in memory?`;
    const { of, hits } = this.found;
    if (hits === undefined) return own`searching …`;
    return hits.length === 0
      ? own`nothing of that is remembered`
      : own`${hits.length} for ${safe(of)}; Enter shows the chosen one`;
  }
}

function newCursor(): RowCursor<ShownMemoryHit> {
  return new RowCursor(({ path, line_start }) => `${path}:${line_start}`);
}

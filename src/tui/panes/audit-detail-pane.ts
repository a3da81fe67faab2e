import type { ShownAudit } from "../../schema/socket/protocol.ts";
import type { Hint, Pane } from "../app/pane.ts";
import type { Size } from "../frame/frame.ts";
import { line } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, type SafeText } from "../frame/safe-text.ts";
import { auditDetailLines } from "../look/audit-look.ts";
import type { Key } from "../screen.ts";
import { Scroll } from "../widgets/scroll.ts";

/** One row of the audit as a whole: what was asked with which input, who said what to it, and the hashes of the chain. */
export class AuditDetailPane implements Pane {
  readonly hints: readonly Hint[] = [{ keys: own`↑↓`, does: own`scroll` }];
  private readonly scroll = new Scroll();
  private row: ShownAudit | undefined;
  private lineCount = 0;

  show(row: ShownAudit | undefined): void {
    this.row = row;
    this.scroll.toStart();
  }

  title(): SafeText {
    return this.row === undefined ? own`no row` : own`row ${this.row.n}`;
  }

  draw(size: Size): Picture {
    if (this.row === undefined) return { lines: [line(own`choose a row`, { fg: "grey" })] };
    const lines = auditDetailLines(this.row, size.columns);
    this.lineCount = lines.length;
    return { lines: this.scroll.window(lines, size) };
  }

  key(key: Key): boolean {
    return this.scroll.key(key, this.lineCount);
  }

  trace(): string | undefined {
    return this.row?.trace_id;
  }
}

import { TextStream } from "../../text/text-stream.ts";
import { wrap } from "../../text/text-width.ts";
import { wrapWords } from "../../text/wrap-words.ts";

const fence = /^\s*(?:```|~~~)/;

/** Text that grows, in lines of one width: what is added wraps again only the last of them. Code between fences is broken where
 *  lines are full, all else between words. */
export class WrappedText {
  private readonly width: number;
  private readonly stream = new TextStream();
  private readonly whole: string[] = [];
  private last = "";
  /** Whether `last` goes on with a line of the text, rather than beginning one. */
  private goesOn = false;
  private isCode = false;

  constructor(width: number) {
    this.width = Math.max(2, width);
  }

  push(piece: string): void {
    this.take(this.stream.push(piece));
  }

  /** Nothing more comes. */
  end(): void {
    this.take(this.stream.end());
  }

  get lines(): readonly string[] {
    return [...this.whole, this.last];
  }

  /** Lines that stay as they are, whatever comes. */
  get settled(): readonly string[] {
    return this.whole;
  }

  /** The line that may still grow. */
  get open(): string {
    return this.last;
  }

  private take(text: string): void {
    const [first = "", ...rest] = text.replaceAll("\t", "    ").split("\n");
    this.lengthen(first);
    for (const begun of rest) {
      if (!this.goesOn && fence.test(this.last)) this.isCode = !this.isCode;
      this.whole.push(this.last);
      this.last = "";
      this.goesOn = false;
      this.lengthen(begun);
    }
  }

  private lengthen(text: string): void {
    if (text === "") return;
    const isAfterBreak = this.goesOn && this.last === "" && !this.isCode;
    const added = isAfterBreak ? text.trimStart() : text;
    const lines = (this.isCode ? wrap : wrapWords)(this.last + added, this.width);
    this.last = lines.pop() ?? "";
    this.goesOn ||= lines.length > 0;
    for (const line of lines) this.whole.push(line);
  }
}

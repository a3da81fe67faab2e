/** Cuts a window of lines out of a stream of bytes in bounded memory: nothing but the window is kept. */

export type LineLimits = {
  /** 1-based. */
  readonly first: number;
  readonly count: number;
  readonly maxLineCharacters: number;
  /** After the line that reaches this many characters the window ends. */
  readonly maxCharacters: number;
};

export type LineWindow = {
  readonly lines: readonly string[];
  /** Lines of the stream so far; a last line without line break counts. */
  readonly total: number;
  /** Shown lines that were longer than allowed. */
  readonly cutLines: number;
  readonly endsWithBreak: boolean;
  readonly hasCarriageReturns: boolean;
  readonly hasNul: boolean;
  readonly hasInvalidUtf8: boolean;
};

export type LineReader = {
  push(bytes: Uint8Array): void;
  /** Whether the window is complete, so that further bytes are only counted. */
  isFull(): boolean;
  end(): LineWindow;
};

const lineBreak = 10;
const carriageReturn = 13;
/** A character has at most four bytes in UTF-8 and one byte is at most one character. */
const maxBytesPerCharacter = 4;

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let position = 0;
  for (const part of parts) {
    bytes.set(part, position);
    position += part.length;
  }
  return bytes;
}

/** Whole characters only, so that no pair of surrogates is parted. */
function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  const last = text.charCodeAt(count - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? count - 1 : count);
}

class WindowReader implements LineReader {
  readonly #limits: LineLimits;
  readonly #lines: string[] = [];
  #parts: Uint8Array[] = [];
  #kept = 0;
  #lineBytes = 0;
  #characters = 0;
  #complete = 0;
  #cutLines = 0;
  #carriageReturns = false;
  #nul = false;
  #invalid = false;

  constructor(limits: LineLimits) {
    this.#limits = limits;
  }

  push(bytes: Uint8Array): void {
    let start = 0;
    while (start < bytes.length) {
      const found = bytes.indexOf(lineBreak, start);
      const end = found < 0 ? bytes.length : found;
      this.#extend(bytes, start, end);
      if (found < 0) return;
      this.#finish();
      start = found + 1;
    }
  }

  isFull(): boolean {
    return (
      this.#lines.length >= this.#limits.count || this.#characters >= this.#limits.maxCharacters
    );
  }

  end(): LineWindow {
    const endsWithBreak = this.#lineBytes === 0;
    if (!endsWithBreak) this.#finish();
    return {
      lines: this.#lines,
      total: this.#complete,
      cutLines: this.#cutLines,
      endsWithBreak,
      hasCarriageReturns: this.#carriageReturns,
      hasNul: this.#nul,
      hasInvalidUtf8: this.#invalid,
    };
  }

  #isShown(): boolean {
    return this.#complete + 1 >= this.#limits.first && !this.isFull();
  }

  #extend(bytes: Uint8Array, start: number, end: number): void {
    this.#lineBytes += end - start;
    const room = this.#limits.maxLineCharacters * maxBytesPerCharacter + 1 - this.#kept;
    if (room <= 0 || start === end || !this.#isShown()) return;
    const kept = bytes.slice(start, Math.min(end, start + room));
    this.#parts.push(kept);
    this.#kept += kept.length;
  }

  #finish(): void {
    if (this.#isShown()) this.#show(joined(this.#parts));
    this.#complete += 1;
    this.#parts = [];
    this.#kept = 0;
    this.#lineBytes = 0;
  }

  #show(bytes: Uint8Array): void {
    const hasReturn = bytes.length === this.#lineBytes && bytes.at(-1) === carriageReturn;
    const whole = bytes.length === this.#lineBytes;
    if (bytes.includes(0)) this.#nul = true;
    if (hasReturn) this.#carriageReturns = true;
    const text = this.#decode(hasReturn ? bytes.subarray(0, -1) : bytes, whole);
    const shown = firstCharacters(text, this.#limits.maxLineCharacters);
    const isCut = !whole || shown.length < text.length;
    if (isCut) this.#cutLines += 1;
    this.#lines.push(isCut ? `${shown} [line cut, it has ${this.#lineBytes} bytes]` : shown);
    this.#characters += shown.length + 1;
  }

  #decode(bytes: Uint8Array, whole: boolean): string {
    const ignoreBOM = this.#complete > 0;
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM }).decode(bytes, { stream: !whole });
    } catch {
      this.#invalid = true;
      return new TextDecoder("utf-8", { ignoreBOM }).decode(bytes);
    }
  }
}

export function createWindowReader(limits: LineLimits): LineReader {
  return new WindowReader(limits);
}

import { isBase64Unit, redacted, type SecretScan, type Span } from "./secret-scan.ts";
import { outset, type Place } from "./text-scan.ts";

/** Redaction of a text that comes in pieces. Held back is only what may begin a secret. Of a secret in base64, what stands
 *  before it in the same run of characters may be told already; what follows it in the run is not. */

export type RedactedStream = {
  /** @returns what can be told now */
  push(piece: string): string;
  /** @returns what was held back; the text is over */
  end(): string;
};

export const untouchedStream: RedactedStream = { push: (piece) => piece, end: () => "" };

/** `isRun`: it grows with the base64 characters that follow. */
type Found = Span & { isRun: boolean };

export function redactStream(secrets: SecretScan): RedactedStream {
  return new Stream(secrets);
}

/** Positions count from the start of the whole text. */
class Stream implements RedactedStream {
  private readonly secrets: SecretScan;
  private place: Place = outset;
  /** What was not told yet, and where it begins. */
  private held = "";
  private heldFrom = 0;
  /** Secrets that are not told yet, in order, apart from each other. */
  private found: Found[] = [];

  constructor(secrets: SecretScan) {
    this.secrets = secrets;
  }

  push(piece: string): string {
    const from = this.heldFrom + this.held.length;
    this.growRun(piece, 0, from);
    this.place = this.secrets.scan(
      piece,
      ({ start, end, word }) => {
        this.add({ start: from + start, end: from + end, isRun: this.secrets.isBase64(word) });
        this.growRun(piece, end, from);
      },
      this.place,
    );
    if (this.place.begun === 0 && this.held === "" && this.found.length === 0) {
      this.heldFrom = from + piece.length;
      return piece;
    }
    this.held += piece;
    return this.tellUpTo(from + piece.length - this.place.begun);
  }

  end(): string {
    return this.tellUpTo(Number.POSITIVE_INFINITY);
  }

  /** Matches come ordered by their ends; one that touches earlier ones is one with them. */
  private add(match: Found): void {
    const joined = { ...match };
    let last = this.found.at(-1);
    while (last !== undefined && last.end >= joined.start) {
      joined.start = Math.min(joined.start, last.start);
      joined.isRun ||= last.isRun && last.end >= joined.end;
      joined.end = Math.max(joined.end, last.end);
      this.found.pop();
      last = this.found.at(-1);
    }
    this.found.push(joined);
  }

  /** The run that ends just before `at` of the piece goes on through it. */
  private growRun(piece: string, at: number, from: number): void {
    const last = this.found.at(-1);
    if (last === undefined || !last.isRun || last.end !== from + at) return;
    let end = at;
    while (end < piece.length && isBase64Unit(piece.charCodeAt(end))) end += 1;
    last.end = from + end;
  }

  /** Nothing before `safe` can become part of another secret. A secret that ends there may still grow. */
  private tellUpTo(safe: number): string {
    let told = "";
    while (this.found[0] !== undefined && this.found[0].end < safe) {
      const { start, end } = this.found.shift() as Found;
      told += this.take(start) + redacted;
      this.take(end);
    }
    const open = this.found[0];
    told += this.take(Math.min(safe, open?.start ?? safe));
    if (open !== undefined) this.take(Math.min(safe, open.end));
    return told;
  }

  private take(upTo: number): string {
    const taken = this.held.slice(0, Math.max(0, upTo - this.heldFrom));
    this.held = this.held.slice(taken.length);
    this.heldFrom += taken.length;
    return taken;
  }
}

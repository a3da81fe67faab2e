import type { SandboxOutput } from "../../ports/sandbox.ts";

/** Keeps the start and the end of a stream in bounded memory. */

const maxEndBytes = 65_536;

export class OutputCapture {
  readonly #maxStartBytes: number;
  readonly #start: Uint8Array[] = [];
  #startBytes = 0;
  #end: Uint8Array[] = [];
  #endBytes = 0;
  #totalBytes = 0;

  constructor(maxStartBytes: number) {
    this.#maxStartBytes = maxStartBytes;
  }

  push(bytes: Uint8Array): void {
    this.#totalBytes += bytes.length;
    const kept = bytes.subarray(0, this.#maxStartBytes - this.#startBytes);
    if (kept.length > 0) this.#start.push(kept);
    this.#startBytes += kept.length;
    if (kept.length < bytes.length) this.#pushEnd(bytes.subarray(kept.length));
  }

  /** Whether more came than the start holds, so that the rest is hardly worth the time. */
  isOver(): boolean {
    return this.#totalBytes > this.#maxStartBytes;
  }

  result(): SandboxOutput {
    const end = Buffer.concat(this.#end);
    return {
      start: Buffer.concat(this.#start),
      end: end.subarray(Math.max(0, end.length - maxEndBytes)),
      totalBytes: this.#totalBytes,
    };
  }

  #pushEnd(bytes: Uint8Array): void {
    this.#end.push(bytes);
    this.#endBytes += bytes.length;
    if (this.#endBytes < maxEndBytes * 4) return;
    const kept = Buffer.concat(this.#end).subarray(-maxEndBytes);
    this.#end = [kept];
    this.#endBytes = kept.length;
  }
}

/** Keeps what arrives until somebody takes it. */
export class Inbox<T> {
  private readonly items: T[] = [];
  private hasEnded = false;
  private wake: (() => void) | undefined;

  put(item: T): void {
    this.items.push(item);
    this.wake?.();
  }

  end(): void {
    this.hasEnded = true;
    this.wake?.();
  }

  /** Undefined when nothing is left and nothing more comes. */
  async take(): Promise<T | undefined> {
    while (this.items.length === 0 && !this.hasEnded) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return this.items.shift();
  }
}

/** Runs what it is given in the order given, each after the one before has ended, however that ended. */
export class OneAtATime {
  private last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(work, work);
    this.last = result.catch(() => {});
    return result;
  }

  /** Resolves when all that was given so far has ended. */
  async idle(): Promise<void> {
    await this.last;
  }
}

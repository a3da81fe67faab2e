/** When a cron expression is due. Pure: the same arguments give the same answer. */
export type Calendar = {
  /** @param zone such as `Europe/Berlin`   @param after milliseconds, and so is what comes back: the first time later than that
   *  @returns null: never, or the expression cannot be read */
  nextDue(cron: string, zone: string, after: number): number | null;
};

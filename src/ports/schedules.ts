/** What an agent may have done at set times, in the conversation that it asks in. */
export type Schedules = {
  /** Takes it over for good. A second time under the same key it is the same schedule.
   *  @throws AgentError tool.failed: the times cannot be read, come too often, or there are too many here */
  create(wanted: WantedSchedule, key: string): Promise<MadeSchedule>;
};

export type WantedSchedule = { readonly cron: string; readonly task: string };

/** `next_at` in milliseconds; `timezone` is the region that the times are of. */
export type MadeSchedule = {
  readonly id: string;
  readonly next_at: number;
  readonly timezone: string;
};

/** Each time that a schedule begins has a trace that says so: whoever ends a task knows whom to tell. */

export function scheduledTrace(scheduleId: string, seq: number): string {
  return `schedule:${scheduleId}:${seq}`;
}

/** @returns the schedule's id; undefined: the trace began elsewhere */
export function scheduleOf(trace: string): string | undefined {
  return /^schedule:([^:]+):\d+$/.exec(trace)?.[1];
}

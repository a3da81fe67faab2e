import { Cron } from "croner";
import type { Calendar } from "../../ports/calendar.ts";
import { cronRules } from "../../schema/cron.ts";

export const cronerCalendar: Calendar = {
  nextDue(cron, zone, after) {
    try {
      const next = new Cron(cron, { ...cronRules, timezone: zone }).nextRun(new Date(after));
      return next === null ? null : next.getTime();
    } catch {
      return null; // It was checked when it was taken; a later version of croner reads it no more.
    }
  },
};

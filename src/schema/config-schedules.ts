import { z } from "zod";
import { configId } from "./config-forms.ts";

/** The shape of config/schedules.yaml, a list. */

const cronForm =
  "five fields, minute hour day month weekday, of numbers, *, ranges, lists and steps, such as 30 3 * * *";

function cronField(number: string): string {
  const range = `(?:\\*|${number}(?:-${number})?)(?:/[1-9][0-9]?)?`;
  return `${range}(?:,${range})*`;
}

const cronFields = [
  cronField("[1-5]?[0-9]"),
  cronField("(?:1?[0-9]|2[0-3])"),
  cronField("(?:[1-9]|[12][0-9]|3[01])"),
  cronField("(?:[1-9]|1[0-2])"),
  cronField("[0-7]"),
];

const cron = z
  .string()
  .max(256)
  .regex(new RegExp(`^${cronFields.join(" +")}$`), { error: cronForm })
  .meta({ title: cronForm });

const timezoneForm = "local, UTC, or a region such as Europe/Berlin";

const timezone = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/, { error: timezoneForm, abort: true })
  .refine(isTimezone, { error: timezoneForm })
  .meta({ title: timezoneForm });

function isTimezone(name: string): boolean {
  if (name === "local") return true;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const schedule = z
  .strictObject({
    id: configId.describe("Name of the schedule, unique."),
    cron: cron.describe("When it is due."),
    timezone: timezone.default("local").describe("Where the clock of `cron` hangs."),
    command: z
      .enum(["RunScheduledConsolidation"])
      .describe("What is done: `RunScheduledConsolidation` tidies the long-term memory."),
  })
  .meta({ notYet: "run schedules" });

export const schedulesFile = z.array(schedule).max(1_000);

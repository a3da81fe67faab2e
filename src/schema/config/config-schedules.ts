import { z } from "zod";
import { configId } from "./config-forms.ts";
import { scheduleCommands } from "../schedule.ts";

/** The shape of config/schedules.yaml, a list. */

const cronForm = "five fields, minute hour day month weekday, such as 30 3 * * *";

/** Five fields. What they may hold is for the calendar to say. */
export const cronFields = /^[0-9A-Za-z*,/#-]+(?: +[0-9A-Za-z*,/#-]+){4}$/;

const cron = z.string().max(256).regex(cronFields, { error: cronForm }).meta({ title: cronForm });

const conversationForm = "a conversation of the channel, chat or chat/topic, without spaces";

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

const taskForm = "a text that says something, of at most 20000 characters";

const deliver = z.strictObject({
  connector: configId.describe("The connector that sends it."),
  scope: z
    .string()
    .min(1)
    .max(256)
    .regex(/^[!-~]+$/, { error: conversationForm })
    .meta({ title: conversationForm })
    .describe("The conversation."),
});

const schedule = z.strictObject({
  id: configId.describe("Name of the schedule, unique."),
  cron: cron.describe("When it is due."),
  timezone: timezone.default("local").describe("Where the clock of `cron` hangs."),
  command: z
    .enum(scheduleCommands)
    .optional()
    .describe(
      "What the service does: `RunScheduledConsolidation` tidies the long-term memory. Or else `agent` and `task`.",
    ),
  agent: configId.optional().describe("The agent that is told `task`."),
  task: z
    .string()
    .max(20_000)
    .regex(/\S/, { error: taskForm })
    .meta({ title: taskForm })
    .optional()
    .describe("What the agent is told, as if you said it."),
  deliver: deliver
    .optional()
    .describe(
      "The conversation of a channel that gets the agent's answer, besides the session of the schedule.",
    ),
});

export const schedulesFile = z.array(schedule).max(1_000);

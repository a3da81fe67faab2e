import { z } from "zod";
import { visibleText } from "../policy/visible-text.ts";
import { stopIfAborted } from "./abort.ts";
import { defineTool } from "./tool.ts";

const longestTask = 4_000;

export const scheduleCreateTool = defineTool({
  name: "schedule_create",
  description: {
    what: "Has a task done again and again at set times, by you, in this conversation.",
    usage:
      "`cron` has five fields, minute hour day month weekday, in the owner's time zone. At each of these times you are told `task` as if it " +
      "had been said here, and your answer goes here; say in it all that you need to know then. Times may not come more often than every " +
      "ten minutes. The owner sees, pauses and removes it with `statehive schedule`.",
    examples: [
      {
        input: { cron: "0 8 * * 1-5", task: "Sum up what changed in notes/ since yesterday." },
        means: "every weekday at eight in the morning",
      },
    ],
    notFor: "Not for something to do once, now or later, and not for waiting.",
  },
  input: {
    cron: z.string().min(9).max(256).describe("When: minute hour day month weekday."),
    task: z.string().trim().min(1).max(longestTask).describe("What you will be told then."),
  },
  risk: "guarded",
  recovery: "keyed",
  capabilities: () => ["schedule.create:own"],
  summary: ({ cron, task }) => `At ${visibleText(cron)}, again and again: ${visibleText(task)}`,
  carries: ({ task }) => task,
  async run(wanted, { schedules, callKey, signal }) {
    stopIfAborted(signal);
    const { id, next_at, timezone } = await schedules.create(wanted, callKey);
    const next = new Date(next_at).toISOString();
    return `Made, as ${id}. It comes first at ${next} (its times are those of ${timezone}).`;
  },
});

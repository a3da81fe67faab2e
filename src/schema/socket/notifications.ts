import { z } from "zod";
import { actorStateRow, actorStep } from "../shown/actor-view.ts";
import { chatEvent } from "../shown/chat-event.ts";
import { inspectedNews } from "../shown/inspected.ts";
import { logRecord } from "../shown/log-record.ts";
import { sidecarEvent } from "../shown/news.ts";

/** What the service says unasked, after a method that asked for it. */

const chat = z.string().describe("The name that `chat.send` or `chat.follow` gave.");
const isTorn = "Records are missing: the log was rotated away before the client read it.";

/** @param tells what it means, in a sentence */
const notification = <Shape extends z.ZodRawShape>(tells: string, shape: Shape) =>
  z.strictObject(shape).describe(tells);

const many = <Shape extends z.ZodType>(shape: Shape) => z.array(shape).readonly();

export const notificationParams = {
  "chat.delta": notification("The next piece of the answer: a `text.delta`.", {
    chat,
    event: chatEvent,
  }),
  "chat.tool": notification(
    "What else becomes of the message: runs, tools, approvals, and text that begins again.",
    { chat, event: chatEvent },
  ),
  "chat.end": notification(
    "The run has ended, with `run.finished`; no more of this chat follows.",
    {
      chat,
      event: chatEvent,
    },
  ),
  "actors.delta": notification("Steps that were committed, told at most 20 times a second.", {
    rows: many(actorStateRow).describe(
      "Each actor that took a step, once and as it is now; an ended one with how it ended. Where steps were `dropped`: all that live or were set aside; any other has ended.",
    ),
    steps: many(actorStep),
    dropped: z.int().describe("Steps that are missing, because the client read too slowly."),
  }),
  "actors.inspected": inspectedNews.describe(
    "Steps that were committed, at most 20 times a second, with the snapshots after them.",
  ),
  "events.delta": notification("What happened.", {
    events: many(sidecarEvent),
    dropped: z.int().describe("Older ones that are missing, because the client read too slowly."),
  }),
  "logs.delta": notification("What was logged.", {
    records: many(logRecord),
    is_torn: z.boolean().describe(isTorn),
  }),
} as const;

export type Notifications = {
  readonly [N in keyof typeof notificationParams]: z.output<(typeof notificationParams)[N]>;
};

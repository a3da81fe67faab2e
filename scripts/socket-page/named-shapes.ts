import { z } from "zod";
import {
  actorDetails,
  actorStateRow,
  actorStep,
  deadLetter,
  sendAnswer,
} from "../../src/schema/shown/actor-view.ts";
import { chartDetails, chartSummary } from "../../src/schema/shown/chart-view.ts";
import { chatEvent } from "../../src/schema/shown/chat-event.ts";
import { inspectedActor } from "../../src/schema/shown/inspected.ts";
import { logRecord } from "../../src/schema/shown/log-record.ts";
import { sidecarEvent } from "../../src/schema/shown/news.ts";
import { alert } from "../../src/schema/shown/observed.ts";
import { replayFrame } from "../../src/schema/shown/replay.ts";
import { serviceStatus } from "../../src/schema/socket/results.ts";
import * as shown from "../../src/schema/shown/shown.ts";

/** Shapes that stand in more than one place: the page tells each of them once. */
export const namedShapes: { readonly [name: string]: z.ZodType } = {
  "error": shown.errorData,
  "actor": actorStateRow,
  "actor in detail": actorDetails,
  "actor step": actorStep,
  "sent event": sendAnswer,
  "recorded step": replayFrame,
  "dead letter": deadLetter,
  "inspected actor": inspectedActor,
  "chart": chartSummary,
  "chart in detail": chartDetails,
  "status of the service": serviceStatus,
  "alert": alert,
  "agent": shown.shownAgent,
  "session": shown.shownSession,
  "message": shown.shownMessage,
  "task": shown.shownTask,
  "run": shown.shownRun,
  "step of a run": shown.shownStep,
  "usage": shown.shownUsage,
  "budget": shown.shownBudget,
  "approval": shown.shownApproval,
  "grant": shown.shownGrant,
  "mark": shown.shownMark,
  "audit row": shown.shownAudit,
  "chat event": chatEvent,
  "service event": sidecarEvent,
  "log record": logRecord,
};

const nameOf = new Map<unknown, string>(
  Object.entries(namedShapes).map(([name, shape]) => [definitionOf(shape), name]),
);

export function shapeName(shape: z.core.$ZodType): string | undefined {
  return nameOf.get(definitionOf(shape));
}

/** `.describe` makes another shape of the same definition. */
function definitionOf(shape: z.core.$ZodType): unknown {
  return shape instanceof z.ZodType ? shape.def : shape;
}

/** The named shape that an object was made of with more fields, if it was. */
export function baseOf(
  shape: z.core.$ZodType,
): [name: string, fields: readonly string[]] | undefined {
  if (!(shape instanceof z.ZodObject)) return undefined;
  const bases = Object.entries(namedShapes).flatMap(([name, base]): [string, string[]][] =>
    base instanceof z.ZodObject && isPartOf(base, shape) ? [[name, Object.keys(base.shape)]] : [],
  );
  return bases.toSorted(([, one], [, other]) => other.length - one.length)[0];
}

function isPartOf(base: z.ZodObject, shape: z.ZodObject): boolean {
  const fields = Object.entries(base.shape);
  const isSmaller = fields.length < Object.keys(shape.shape).length;
  return isSmaller && fields.every(([key, field]) => shape.shape[key] === field);
}

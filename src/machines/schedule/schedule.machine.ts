import { setup } from "xstate";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import type { ScheduleContext } from "../../schema/contexts/schedule-context.ts";
import { lookup, send, spawnActor, wakeLater } from "../effect-actions.ts";
import {
  awaitDue,
  beginWork,
  deliverReply,
  lookAfterTask,
  planNext,
  spawnConsolidations,
} from "./schedule-effects.ts";
import type { ScheduleEvent, ScheduleInput } from "./schedule-events.ts";
import {
  countSkipped,
  forgetBeginning,
  newSchedule,
  pauseAfterwards,
  rememberBeginning,
  rememberDefinition,
  rememberMissed,
  rememberNothing,
  rememberPartition,
  rememberPartitions,
  rememberPlan,
  rememberTaskEnd,
  removeAfterwards,
  waitAfterwards,
} from "./schedule-memory.ts";
import {
  catchUpMs,
  hasNothingToDo,
  isLastPartition,
  isOfPresentTask,
  isPlanned,
  isToBeRemoved,
  isToPause,
  lookAfterMs,
  wasMissed,
} from "./schedule-rules.ts";

/** Something that is done at set times, once at a time; what was missed while nothing ran is done once. */
export const scheduleMachine = setup({
  types: {
    context: {} as ScheduleContext,
    input: {} as ScheduleInput & { $: EventMeta },
    events: {} as Delivered<ScheduleEvent>,
    tags: {} as "busy" | "waiting" | "terminal",
  },
  actions: {
    send,
    lookup,
    spawnActor,
    wakeLater,
    planNext,
    awaitDue,
    beginWork,
    spawnConsolidations,
    lookAfterTask,
    deliverReply,
    rememberDefinition,
    rememberPlan,
    rememberMissed,
    rememberBeginning,
    forgetBeginning,
    rememberPartitions,
    rememberPartition,
    rememberNothing,
    rememberTaskEnd,
    countSkipped,
    pauseAfterwards,
    removeAfterwards,
    waitAfterwards,
  },
  guards: {
    wasMissed,
    isPlanned,
    hasNothingToDo,
    isOfPresentTask,
    isLastPartition,
    isToBeRemoved,
    isToPause,
  },
  delays: { catchUp: catchUpMs, lookAfter: lookAfterMs },
}).createMachine({
  id: "schedule",
  version: "1",
  context: newSchedule,
  entry: "planNext",
  on: {
    "schedule.planned": { actions: ["rememberPlan", "awaitDue"] },
    "schedule.configure": { actions: ["rememberDefinition", "planNext"] },
  },
  initial: "waiting",
  states: {
    waiting: {
      description: "Waits for its next time, unless a person has said otherwise meanwhile.",
      tags: ["waiting"],
      always: [
        { guard: "isToBeRemoved", target: "removed" },
        { guard: "isToPause", target: "paused" },
      ],
      on: {
        "schedule.due": [
          { guard: "wasMissed", target: "catching_up", actions: "rememberMissed" },
          { guard: "isPlanned", target: "due" },
        ],
        "schedule.run": "due",
        "schedule.pause": "paused",
        "schedule.remove": "removed",
      },
      meta: {
        ignores: {
          "schedule.due": "It was planned anew: no time ever comes.",
          "schedule.resume": "It is not paused.",
          "task.placed": "Nothing works for it.",
          "task.refused": "Nothing works for it.",
          "task.ended": "Nothing works for it.",
          "partitions.found": "Nothing works for it.",
          "consolidation.finished": "Nothing works for it.",
          "actor.failed": "Nothing works for it.",
        },
      },
    },
    catching_up: {
      description:
        "Its time came while nothing ran here: what was missed is done once, a little after the start.",
      tags: ["waiting"],
      on: {
        "schedule.run": "due",
        "schedule.pause": "paused",
        "schedule.remove": "removed",
      },
      after: { catchUp: "due" },
      meta: {
        ignores: {
          "schedule.due": "What was missed is about to be done.",
          "schedule.resume": "It is not paused.",
          "task.placed": "Nothing works for it.",
          "task.refused": "Nothing works for it.",
          "task.ended": "Nothing works for it.",
          "partitions.found": "Nothing works for it.",
          "consolidation.finished": "Nothing works for it.",
          "actor.failed": "Nothing works for it.",
        },
      },
    },
    due: {
      description: "Its next time is planned, and its work is handed out, in one transaction.",
      tags: ["busy"],
      entry: ["rememberBeginning", "planNext", "beginWork"],
      on: {
        "task.placed": "running",
        "task.refused": {
          guard: "isOfPresentTask",
          target: "waiting",
          actions: "rememberTaskEnd",
        },
        "partitions.found": [
          { guard: "hasNothingToDo", target: "waiting", actions: "rememberNothing" },
          { target: "running", actions: ["rememberPartitions", "spawnConsolidations"] },
        ],
        "schedule.pause": { actions: "pauseAfterwards" },
        "schedule.resume": { actions: "waitAfterwards" },
        "schedule.remove": { actions: "removeAfterwards" },
      },
      meta: {
        ignores: {
          "schedule.due": "It is due.",
          "schedule.run": "It is due.",
          "task.refused": "That is not the present task.",
          "task.ended": "That is not the present task.",
          "consolidation.finished": "That is no part of the present work.",
          "actor.failed": "That is no part of the present work.",
        },
      },
    },
    running: {
      description: "What it is for is being done; times that come meanwhile are skipped.",
      tags: ["busy"],
      on: {
        "task.ended": {
          guard: "isOfPresentTask",
          target: "waiting",
          actions: ["rememberTaskEnd", "deliverReply"],
        },
        "task.refused": {
          guard: "isOfPresentTask",
          target: "waiting",
          actions: "rememberTaskEnd",
        },
        "consolidation.finished": [
          { guard: "isLastPartition", target: "waiting", actions: "rememberPartition" },
          { actions: "rememberPartition" },
        ],
        "actor.failed": [
          { guard: "isLastPartition", target: "waiting", actions: "rememberPartition" },
          { actions: "rememberPartition" },
        ],
        "schedule.due": { guard: "isPlanned", actions: ["countSkipped", "planNext"] },
        "schedule.pause": { actions: "pauseAfterwards" },
        "schedule.resume": { actions: "waitAfterwards" },
        "schedule.remove": { actions: "removeAfterwards" },
      },
      after: { lookAfter: { target: "running", reenter: true, actions: "lookAfterTask" } },
      meta: {
        ignores: {
          "schedule.due": "It was planned anew: no time ever comes.",
          "schedule.run": "It runs already.",
          "task.placed": "It runs already.",
          "task.refused": "That is not the present task.",
          "task.ended": "That is not the present task.",
          "partitions.found": "It runs already.",
        },
      },
    },
    paused: {
      description: "Nothing is done until a person resumes it, or says that it is to be done now.",
      tags: ["waiting"],
      entry: "pauseAfterwards",
      on: {
        "schedule.resume": {
          target: "waiting",
          actions: ["waitAfterwards", "forgetBeginning", "planNext"],
        },
        "schedule.run": "due",
        "schedule.remove": "removed",
      },
      meta: {
        ignores: {
          "schedule.due": "It is paused.",
          "schedule.pause": "It is paused already.",
          "task.placed": "Nothing works for it.",
          "task.refused": "Nothing works for it.",
          "task.ended": "Nothing works for it.",
          "partitions.found": "Nothing works for it.",
          "consolidation.finished": "Nothing works for it.",
          "actor.failed": "Nothing works for it.",
        },
      },
    },
    removed: {
      description: "It is wanted no more.",
      tags: ["terminal"],
      type: "final",
    },
  },
});

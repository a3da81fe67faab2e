import type { MachineEntry } from "../engine/machine-registry.ts";
import { approvalContextFrom1 } from "../machines/approval/approval-migrations.ts";
import { approvalMachine } from "../machines/approval/approval.machine.ts";
import { connectorMachine } from "../machines/connector/connector.machine.ts";
import { consolidationMachine } from "../machines/consolidation/consolidation.machine.ts";
import { deliveryMachine } from "../machines/delivery/delivery.machine.ts";
import { episodeMachine } from "../machines/episode/episode.machine.ts";
import { downloadMachine } from "../machines/download/download.machine.ts";
import { memoryChangeMachine } from "../machines/memory-change/memory-change.machine.ts";
import { runContextFrom1, runContextFrom2 } from "../machines/run/run-migrations.ts";
import { wrongAnswerFor } from "../machines/approval/approval-rules.ts";
import { runMachine } from "../machines/run/run.machine.ts";
import {
  sessionContextFrom1,
  sessionContextFrom2,
  sessionContextFrom4,
} from "../machines/session/session-migrations.ts";
import { scheduleMachine } from "../machines/schedule/schedule.machine.ts";
import { sessionMachine } from "../machines/session/session.machine.ts";
import { systemMachine } from "../machines/system/system.machine.ts";
import { toolCallContextFrom1 } from "../machines/tool-call/tool-call-migrations.ts";
import { toolCallMachine } from "../machines/tool-call/tool-call.machine.ts";
import { approvalContext } from "../schema/contexts/approval-context.ts";
import { connectorContext } from "../schema/contexts/connector-context.ts";
import { deliveryContext } from "../schema/contexts/delivery-context.ts";
import { downloadContext } from "../schema/contexts/download-context.ts";
import { episodeContext } from "../schema/contexts/episode-context.ts";
import { memoryChangeContext } from "../schema/contexts/memory-change-context.ts";
import { runContext } from "../schema/contexts/run-context.ts";
import { sessionContext } from "../schema/contexts/session-context.ts";
import { systemContext } from "../schema/contexts/system-context.ts";
import { toolCallContext } from "../schema/contexts/tool-call-context.ts";
import { consolidationContext } from "../schema/contexts/consolidation-context.ts";
import type { JsonObject } from "../schema/json.ts";
import { scheduleContext } from "../schema/contexts/schedule-context.ts";
import type { ApprovalKind } from "../schema/rows/permission-rows.ts";

/** The kinds of actor that can run. */
export const machineEntries: readonly MachineEntry[] = [
  {
    machine: systemMachine,
    context: systemContext,
    restart: "permanent",
    migrations: { 1: (stored) => stored, 2: (stored) => stored },
  },
  {
    machine: sessionMachine,
    context: sessionContext,
    migrations: contextMigrations(
      sessionContextFrom1,
      sessionContextFrom2,
      (context) => context,
      sessionContextFrom4,
    ),
  },
  {
    machine: runMachine,
    context: runContext,
    migrations: contextMigrations(runContextFrom1, runContextFrom2),
  },
  {
    machine: toolCallMachine,
    context: toolCallContext,
    migrations: contextMigrations(toolCallContextFrom1),
  },
  {
    machine: approvalMachine,
    context: approvalContext,
    migrations: contextMigrations(approvalContextFrom1, (context) => context),
    refuses: ({ kind }) => [wrongAnswerFor(kind as ApprovalKind)],
  },
  {
    machine: connectorMachine,
    context: connectorContext,
    restart: "permanent",
    speaksAs: "channel",
  },
  { machine: deliveryMachine, context: deliveryContext },
  { machine: downloadMachine, context: downloadContext, speaksAs: "channel" },
  { machine: episodeMachine, context: episodeContext },
  { machine: consolidationMachine, context: consolidationContext },
  { machine: scheduleMachine, context: scheduleContext },
  { machine: memoryChangeMachine, context: memoryChangeContext },
];

type ContextChange = (context: JsonObject) => JsonObject;

/** @param changes from version 1 to 2, from 2 to 3, and so on: an older context goes through all that are left */
function contextMigrations(
  ...changes: readonly ContextChange[]
): NonNullable<MachineEntry["migrations"]> {
  return Object.fromEntries(
    changes.map((_, index) => [
      `${index + 1}`,
      (stored) => ({
        ...stored,
        context: changes.slice(index).reduce((context, change) => change(context), stored.context),
      }),
    ]),
  );
}

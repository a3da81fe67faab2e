import type { MachineEntry } from "../engine/machine-registry.ts";
import { approvalMachine } from "../machines/approval.machine.ts";
import { runContextFrom1 } from "../machines/run-migrations.ts";
import { wrongAnswerFor } from "../machines/approval-rules.ts";
import { runMachine } from "../machines/run.machine.ts";
import { sessionContextFrom1 } from "../machines/session-migrations.ts";
import { sessionMachine } from "../machines/session.machine.ts";
import { systemMachine } from "../machines/system.machine.ts";
import { toolCallMachine } from "../machines/tool-call.machine.ts";
import {
  approvalContext,
  runContext,
  sessionContext,
  systemContext,
  toolCallContext,
} from "../schema/contexts.ts";
import type { ApprovalKind } from "../schema/permission-rows.ts";

/** The kinds of actor that can run. */
export const machineEntries: readonly MachineEntry[] = [
  {
    machine: systemMachine,
    context: systemContext,
    restart: "permanent",
    migrations: { 1: (stored) => stored },
  },
  {
    machine: sessionMachine,
    context: sessionContext,
    migrations: { 1: (stored) => ({ ...stored, context: sessionContextFrom1(stored.context) }) },
  },
  {
    machine: runMachine,
    context: runContext,
    migrations: { 1: (stored) => ({ ...stored, context: runContextFrom1(stored.context) }) },
  },
  { machine: toolCallMachine, context: toolCallContext },
  {
    machine: approvalMachine,
    context: approvalContext,
    refuses: ({ kind }) => [wrongAnswerFor(kind as ApprovalKind)],
  },
];

import { machineEntries } from "../../actors/machine-entries.ts";
import { noMemory } from "../../actors/memory/no-memories.ts";
import { createMachineRegistry } from "../../engine/machine-registry.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { ReadMethod } from "../../schema/socket/protocol.ts";
import { actorReads } from "./actor-reads.ts";
import { approvalReads } from "./approvals.ts";
import { auditReads } from "./audit.ts";
import { type BudgetSource, createBudgetsOf } from "../records/budgets-of.ts";
import type { ConnectorSource } from "../records/shown-connector.ts";
import type { ScheduleSource } from "../records/shown-schedule.ts";
import type { Handlers } from "./caller.ts";
import { connectorReads } from "./connectors.ts";
import { deliveryReads } from "./deliveries.ts";
import { grantReads } from "./grants.ts";
import { machineReads } from "./machines.ts";
import { type MemorySource, memoryReads } from "./memory.ts";
import { markReads } from "./marks.ts";
import { pairingReads } from "./pairings.ts";
import { recordReads } from "./records.ts";
import { replayReads } from "./replays.ts";
import { scheduleReads } from "./schedules.ts";
import { stepApprovalReads } from "./step-approvals.ts";
import { usageReads } from "./usage.ts";

/** All that committed rows alone answer: with the service over its store, and without it over the file. */
export function createReadApi(
  read: CommittedReader,
  source: BudgetSource & ConnectorSource & ScheduleSource & Partial<Pick<MemorySource, "memory">>,
): Handlers<ReadMethod> {
  const budgetsOf = createBudgetsOf(read, source);
  const machines = createMachineRegistry(machineEntries);
  return {
    ...machineReads,
    ...actorReads(read, machines),
    ...approvalReads(read),
    ...stepApprovalReads(read),
    ...recordReads(read, budgetsOf),
    ...replayReads(read, machines),
    ...usageReads(read, budgetsOf),
    ...grantReads(read),
    ...markReads(read),
    ...connectorReads(read, source),
    ...pairingReads(read, source),
    ...deliveryReads(read),
    ...scheduleReads(read, source),
    ...memoryReads({ ...source, memory: source.memory ?? withoutMemory }),
    ...auditReads(read),
  };
}

function withoutMemory(): Promise<never> {
  return Promise.reject(noMemory());
}

import { auditHeadTable, auditTable } from "./audit-rows.ts";
import { budgetAllowanceTable, budgetHeldTable, budgetHoldTable } from "./budget-rows.ts";
import {
  chosenAgentTable,
  connectorUpdateTable,
  deliveryTable,
  openFetchTable,
  pairingTable,
  previewTable,
  rateBucketTable,
} from "./channel-rows.ts";
import { fileOriginTable } from "./file-origin-rows.ts";
import { consideredTable, unansweredTable } from "./consolidation-rows.ts";
import { memoryChangeTable, memoryFileTable, recallTable } from "./memory-rows.ts";
import { historyCutTable, modelCallTable, pastCutTable, usageTotalTable } from "./model-rows.ts";
import { approvalTable, grantTable } from "./permission-rows.ts";
import { agentConfigTable, runTable, slotTable, stepTable, taskTable } from "./run-rows.ts";
import {
  forgottenSessionTable,
  inboxTable,
  joinedTable,
  messageTable,
  sessionTable,
} from "./session-rows.ts";
import type { Table } from "./table.ts";

/** The domain's tables: machines write them by named effects, in the transaction of the transition they belong to. */
export const domainTables = [
  sessionTable,
  forgottenSessionTable,
  messageTable,
  historyCutTable,
  pastCutTable,
  inboxTable,
  joinedTable,
  taskTable,
  runTable,
  agentConfigTable,
  stepTable,
  approvalTable,
  grantTable,
  slotTable,
  fileOriginTable,
  auditTable,
  auditHeadTable,
  modelCallTable,
  usageTotalTable,
  budgetHoldTable,
  budgetHeldTable,
  budgetAllowanceTable,
  connectorUpdateTable,
  rateBucketTable,
  pairingTable,
  chosenAgentTable,
  deliveryTable,
  previewTable,
  openFetchTable,
  memoryChangeTable,
  memoryFileTable,
  recallTable,
  consideredTable,
  unansweredTable,
] as unknown as readonly Table[];

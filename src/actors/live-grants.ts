import { patternsCovering } from "../policy/pattern.ts";
import type { LiveGrant } from "../policy/verdict.ts";
import type { RowReader } from "../ports/store.ts";
import {
  approvalTable,
  type Grant,
  grantOwners,
  grantTable,
} from "../schema/rows/permission-rows.ts";
import { agentConfigTable, runTable } from "../schema/rows/run-rows.ts";
import type { Capability } from "../schema/tool.ts";

/** What people have said of calls like one, as far as it holds for that call now. */

export type NeedingCall = {
  readonly session_address: string;
  readonly task_id: string;
  readonly run_id: string;
  readonly step_id: string;
  readonly tool: string;
  readonly capabilities: readonly Capability[];
  /** Of the agent, now. */
  readonly workspace: string;
};

/** Looked up by the few patterns that can cover the call, so that a verdict costs the same however many grants there are. */
export function liveGrants(read: RowReader, call: NeedingCall, at: number): readonly LiveGrant[] {
  const { session_address, tool, capabilities } = call;
  const owners: readonly string[] = Object.values(grantOwners(call));
  return [...new Set(capabilities.flatMap(patternsCovering))]
    .flatMap((pattern) =>
      read.select(grantTable, { index: "by_pattern", equals: [session_address, tool, pattern] }),
    )
    .filter(({ owner }) => owners.includes(owner))
    .filter(({ expires_at }) => expires_at === null || at < expires_at)
    .filter((grant) => isOfWorkspace(read, grant, call))
    .map((grant) => (grant.effect === "deny" ? withReason(read, grant) : grant));
}

/** A person who spoke of files meant those of the workspace of that time, which an agent may have left since. */
function isOfWorkspace(read: RowReader, grant: Grant, { run_id, workspace }: NeedingCall): boolean {
  const askedIn = read.get(approvalTable, grant.approval_id)?.run_id;
  const hash = askedIn === undefined ? null : (read.get(runTable, askedIn)?.config_hash ?? null);
  if (hash === null || hash === read.get(runTable, run_id)?.config_hash) return true;
  const then = read.get(agentConfigTable, hash)?.config?.["workspace"];
  return then === undefined || then === workspace;
}

function withReason(read: RowReader, grant: Grant): LiveGrant {
  const said = read.get(approvalTable, grant.approval_id)?.answer ?? "";
  return said === "" ? grant : { ...grant, said };
}

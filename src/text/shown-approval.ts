import type { Approval } from "../schema/rows/permission-rows.ts";
import type { ShownApproval } from "../schema/socket/protocol.ts";
import { iso, isoOrNull } from "./iso-time.ts";

/** A question's row as people and programs see it. */
export function showApproval(row: Approval): ShownApproval {
  const { approval_id, created_at, expires_at, decided_at, until, ...rest } = row;
  return {
    id: approval_id,
    ...rest,
    created_at: iso(created_at),
    expires_at: iso(expires_at),
    decided_at: isoOrNull(decided_at),
    until: isoOrNull(until),
  };
}

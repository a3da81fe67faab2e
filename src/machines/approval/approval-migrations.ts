import type { JsonObject } from "../../schema/json.ts";

/** The context of an approval of version 1 as that of version 2: only the owner was asked, and no grant was bound to more than its
 *  pattern. */
export function approvalContextFrom1(context: JsonObject): JsonObject {
  return { ...context, pin: null, terms: "", accepted: [], approvers: [] };
}

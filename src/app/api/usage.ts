import type { CommittedReader } from "../../ports/store.ts";
import { usageTotalTable } from "../../schema/model-rows.ts";
import type { Handlers } from "./caller.ts";
import { iso } from "../records/shown.ts";
import { showTotal } from "../records/usage-of.ts";

/** What model calls used and cost. */
export function usageReads(read: CommittedReader): Handlers<"usage.totals"> {
  return {
    "usage.totals": async ({ by, limit }) => {
      const query = { index: "by_kind", equals: [by], descending: true, limit };
      const totals = await read.select(usageTotalTable, query);
      return totals.map((total) => ({
        name: total.scope.slice(by.length + 1),
        ...showTotal(total),
        last_at: iso(total.last_at),
      }));
    },
  };
}

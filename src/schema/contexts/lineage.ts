import { z } from "zod";

/** Ids that every actor below a session carries, so that its rows can be found by any of them. */
export const lineage = z.strictObject({
  session_id: z.string(),
  session_address: z.string(),
  agent_id: z.string(),
  task_id: z.string(),
  run_id: z.string(),
  trace_id: z.string(),
});

export type Lineage = z.infer<typeof lineage>;

import { z } from "zod";
import { errorData } from "./context-shapes.ts";

export const connectorContext = z.strictObject({
  connector_id: z.string(),
  type: z.string(),
  intake: z.enum(["polling", "webhook"]),
  /** What the next receiving begins after. */
  cursor: z.string().nullable(),
  /** When the last update came. */
  last_update_at: z.number().nullable(),
  /** The account, once the channel has said it. */
  identity: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
  /** In a row. */
  failures: z.int().nonnegative(),
  conflicts: z.int().nonnegative(),
  /** It has received since it was started: if somebody else receives now, that one came later. */
  is_settled: z.boolean(),
  /** The last one; null while all is well. */
  error: errorData.nullable(),
  /** Updates, since it was made. */
  accepted: z.int().nonnegative(),
  refused: z.int().nonnegative(),
});

export type ConnectorContext = z.infer<typeof connectorContext>;

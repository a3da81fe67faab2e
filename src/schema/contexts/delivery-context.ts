import { z } from "zod";
import { deliveryKinds } from "../rows/channel-rows.ts";
import { errorData } from "./context-shapes.ts";

export const deliveryContext = z.strictObject({
  delivery_id: z.string(),
  connector_id: z.string(),
  scope: z.string(),
  kind: z.enum(deliveryKinds),
  about: z.string().nullable(),
  /** The message of ours that its first part replaces. */
  edits: z.string().nullable(),
  /** The part that is sent next, counted from 0, and those that arrived. */
  part: z.int().nonnegative(),
  message_ids: z.array(z.string()),
  /** Of the present part. */
  attempts: z.int().nonnegative(),
  created_at: z.number(),
  error: errorData.nullable(),
});

export type DeliveryContext = z.infer<typeof deliveryContext>;

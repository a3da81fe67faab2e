import { z } from "zod";
import { memoryChangeKinds } from "../memory.ts";
import { errorData } from "./context-shapes.ts";

const changedFile = z.strictObject({
  path: z.string(),
  partition: z.string(),
  kind: z.enum(memoryChangeKinds),
  before: z.string().nullable(),
  after: z.string().nullable(),
  bytes: z.int().nonnegative(),
  added: z.int().nonnegative(),
  removed: z.int().nonnegative(),
});

export const memoryChangeContext = z.strictObject({
  /** What is to be done; or the name under which it is staged. */
  changes: z.union([z.string(), z.array(z.looseObject({ op: z.string() }))]),
  kind: z.enum(memoryChangeKinds),
  by: z.string(),
  reason: z.string(),
  session_id: z.string().nullable(),
  /** What became of it. */
  changed: z.array(changedFile),
  error: errorData.nullable(),
});

export type MemoryChangeContext = z.infer<typeof memoryChangeContext>;

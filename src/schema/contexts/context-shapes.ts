import { z } from "zod";
import type { ErrorData } from "../errors.ts";
import type { JsonObject } from "../json.ts";

export const capabilities = z.array(z.string());

export const json = z.record(z.string(), z.json()) as z.ZodType<JsonObject>;

export const errorData = z.looseObject({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
}) as unknown as z.ZodType<ErrorData>;

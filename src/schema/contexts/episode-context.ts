import { z } from "zod";
import { errorData } from "./context-shapes.ts";

/** The short account of a conversation that ended without having written to memory. */
export const episodeContext = z.strictObject({
  session_id: z.string(),
  session_address: z.string(),
  agent_id: z.string(),
  partition: z.string(),
  /** When the conversation ended. */
  at: z.number(),
  origins: z.array(z.string()),
  text: z.string().nullable(),
  error: errorData.nullable(),
});

export type EpisodeContext = z.infer<typeof episodeContext>;

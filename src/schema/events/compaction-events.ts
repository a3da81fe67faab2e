import { z } from "zod";
import { compactionReasons, cut } from "../contexts/session-context.ts";
import { type EventEntry, fromPeople, internal, nothing } from "./event-entry.ts";

/** Events of conversations that are summed up: while they go on, and as they end. */

export const compactionPayloads = {
  "session.compact": nothing,
  "compaction.due": z.strictObject({
    ...cut.shape,
    reason: z.enum(compactionReasons),
    /** Absent: what is left out is not summed up. */
    tokens: z.int().nonnegative().optional(),
  }),
  "episode.begin": nothing,
} as const;

export const compactionEntries: {
  readonly [T in keyof typeof compactionPayloads]: EventEntry;
} = {
  "session.compact": {
    origins: fromPeople,
    pokeable: true,
    description:
      "Sum up now what was said before the newest exchange; while a run works, it is not taken.",
  },
  "compaction.due": internal("The conversation has outgrown what its model is shown."),
  "episode.begin": internal("A conversation ended without having written to memory."),
};

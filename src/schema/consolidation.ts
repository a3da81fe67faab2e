import { z } from "zod";

/** The tidying of one partition's files: what it came to, and what a model may propose. */

/** Why a line is as it is, for a person who reviews; without the text that the line holds. */
export const consolidationNote = z.strictObject({
  kind: z.enum([
    "promoted",
    "conflict",
    "resolved",
    "outdated",
    "forgotten",
    "held_back",
    "refused",
    "left_alone",
  ]),
  /** Null: it is about no place. */
  path: z.string().nullable(),
  /** Of the file as it was; null: about the whole file. */
  line: z.int().nullable(),
  text: z.string(),
});

/** A file as it is to become. Versions are named by their hash and kept beside the files of memory; null: no file. */
const plannedFile = z.strictObject({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

/** Entries of one daily file that need not be looked at again, by their keys. */
const consideredEntries = z.strictObject({ path: z.string(), entries: z.array(z.string()) });

export const consolidationPlan = z.strictObject({
  files: z.array(plannedFile),
  notes: z.array(consolidationNote),
  /** Notes that there was no room for. */
  more_notes: z.int().nonnegative(),
  considered: z.array(consideredEntries),
});

export type ConsolidationNote = z.infer<typeof consolidationNote>;
export type ConsolidationPlan = z.infer<typeof consolidationPlan>;
export type ConsideredEntries = z.infer<typeof consideredEntries>;

const entryId = z.string().max(16);

/** What a model answers. Each piece is judged on its own, so that one that is wrong spoils no other. */
export const consolidationProposal = z.object({
  promote: z.array(z.unknown()).max(500).default([]),
  conflicts: z.array(z.unknown()).max(500).default([]),
  outdated: z.array(z.unknown()).max(500).default([]),
});

export const proposedPromotion = z.object({
  entries: z.array(entryId).min(1).max(8),
  text: z.string().max(4_000),
});

export const proposedConflict = z.object({ entry: entryId, with: entryId });

export const proposedOutdated = entryId;

export type ConsolidationProposal = z.infer<typeof consolidationProposal>;

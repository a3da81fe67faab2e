import { createHash } from "node:crypto";
import { type Entry, parseEntries, sameness } from "../entries/entries.ts";

/** What a consolidation starts from: the files of one partition as they are, and what is known of them. */

export type MemoryText = {
  readonly path: string;
  readonly text: string;
  /** `2026-11-20` of a daily file; null: of what is to stay. */
  readonly day: string | null;
};

export type ConsolidationRules = {
  /** Null: nothing is forgotten for its age. */
  readonly forget_after_days: number | null;
  readonly promote: boolean;
};

export type Material = {
  /** Where promoted entries go; null: nothing is promoted in this partition. */
  readonly long_term_path: string | null;
  /** `2026-11-22` */
  readonly today: string;
  readonly files: readonly MemoryText[];
  /** Keys of entries that were looked at earlier, by their file. */
  readonly considered: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether what came from there is to be believed here. */
  readonly trusts: (origin: string) => boolean;
  readonly rules: ConsolidationRules;
};

/** An entry, and where it stands. */
export type Item = Entry & {
  readonly path: string;
  readonly day: string | null;
  /** The same for as long as the entry stays as it is, wherever in its file. */
  readonly key: string;
};

const keyCharacters = 16;

export function itemsOf({ path, text, day }: MemoryText): Item[] {
  return parseEntries(text).map((entry) => ({ ...entry, path, day, key: keyOf(entry) }));
}

function keyOf({ at, origins, text }: Entry): string {
  const whole = JSON.stringify([at, origins, sameness(text)]);
  return createHash("sha256").update(whole).digest("hex").slice(0, keyCharacters);
}

/** A person wrote it, and no rule takes it away. */
export function isByHand({ at }: Pick<Entry, "at">): boolean {
  return at === null;
}

const dayMs = 86_400_000;

/** Whole days from one date to another. */
export function daysBetween(earlier: string, later: string): number {
  return Math.round((Date.parse(later) - Date.parse(earlier)) / dayMs);
}

import {
  type ConsolidationNote,
  type ConsolidationProposal,
  proposedConflict,
  proposedOutdated,
  proposedPromotion,
} from "../../schema/consolidation.ts";
import { sameness } from "../entries/entries.ts";
import { isByHand, type Item } from "./material.ts";
import { reasonToRefuse } from "./promoted-text.ts";
import type { Shown } from "./shown.ts";

/** What of a model's proposal is done. A model's answer is foreign: each piece is judged on its own, and the worst that all of them
 *  can do together is bounded. */

/** A new entry of what is remembered for good, and the entries of daily files that it is made of. */
export type Promotion = { readonly text: string; readonly sources: readonly Item[] };

export type Conflict = { readonly newer: Promotion; readonly older: Item | Promotion };

export type Judged = {
  readonly promotions: readonly Promotion[];
  readonly conflicts: readonly Conflict[];
  readonly outdated: readonly Item[];
  readonly notes: readonly ConsolidationNote[];
};

export type Judging = {
  readonly shown: Shown;
  /** All that is remembered for good. */
  readonly longTerm: readonly Item[];
  /** Entries that wait for a person's word. */
  readonly disputed: readonly Item[];
};

const most = { promotions: 60, conflicts: 20, outdated: 5, shareOutdated: 0.2 };

export function judgeProposal(proposal: ConsolidationProposal, judging: Judging): Judged {
  const desk = new Desk(judging);
  for (const piece of proposal.promote) desk.promote(piece);
  for (const piece of proposal.conflicts) desk.oppose(piece);
  const outdated = judgeOutdated(proposal.outdated, judging, desk);
  return { promotions: desk.promotions, conflicts: desk.conflicts, outdated, notes: desk.notes };
}

class Desk {
  readonly promotions: Promotion[] = [];
  readonly conflicts: Conflict[] = [];
  readonly notes: ConsolidationNote[] = [];
  readonly #shown: Shown;
  readonly #said: Set<string>;
  /** What is in a conflict. */
  readonly opposed: Set<Item | Promotion>;

  constructor({ shown, longTerm, disputed }: Judging) {
    this.#shown = shown;
    this.#said = new Set(longTerm.map(({ text }) => sameness(text)));
    this.opposed = new Set(disputed);
  }

  promote(piece: unknown): void {
    const parsed = proposedPromotion.safeParse(piece);
    if (!parsed.success) return this.refuse("a promotion has not the shape of one");
    const sources: Item[] = [];
    for (const id of new Set(parsed.data.entries)) {
      const item = this.#shown.entries.get(id);
      if (item === undefined) return this.refuse("a promotion names an entry that was not shown");
      if (this.#promotionOf(item) !== undefined)
        return this.refuse("an entry is promoted twice", item);
      sources.push(item);
    }
    const text = parsed.data.text.trim();
    const reason = reasonToRefuse(text, sources);
    if (reason !== undefined) return this.refuse(`the proposed text: ${reason}`, sources[0]);
    this.#add({ text, sources });
  }

  oppose(piece: unknown): void {
    const parsed = proposedConflict.safeParse(piece);
    if (!parsed.success) return this.refuse("a conflict has not the shape of one");
    const { entries, known } = this.#shown;
    const first = entries.get(parsed.data.entry);
    const second = known.get(parsed.data.with) ?? entries.get(parsed.data.with);
    if (first === undefined || second === undefined || first === second)
      return this.refuse("a conflict names an entry that was not shown");
    const [later, earlier] = isEarlier(first, second) ? [second, first] : [first, second];
    const older = earlier.day === null ? earlier : this.#promotionWith(earlier);
    const newer = this.#promotionWith(later);
    const reason = this.#reasonAgainst(newer, older);
    if (reason !== undefined) return this.refuse(reason, first);
    for (const each of [newer, older]) {
      this.opposed.add(each);
      if (!("path" in each) && !this.promotions.includes(each)) this.#add(each);
    }
    this.conflicts.push({ newer, older });
  }

  refuse(text: string, about?: Item): void {
    const { path = null, line_start: line = null } = about ?? {};
    this.notes.push({ kind: "refused", path, line, text });
  }

  #promotionOf(item: Item): Promotion | undefined {
    return this.promotions.find(({ sources }) => sources.includes(item));
  }

  /** The promotion that it is part of, else one of its own, in its own words. */
  #promotionWith(item: Item): Promotion {
    return this.#promotionOf(item) ?? { text: item.text, sources: [item] };
  }

  #reasonAgainst(newer: Promotion, older: Item | Promotion): string | undefined {
    const isNew = (each: Item | Promotion) =>
      "path" in each || this.promotions.includes(each) || !this.#said.has(sameness(each.text));
    if (newer === older || !isNew(newer) || !isNew(older))
      return "a conflict is about what is said";
    if (this.opposed.has(newer) || this.opposed.has(older))
      return "a conflict is about what stands in another one";
    const isFull =
      this.conflicts.length >= most.conflicts || this.promotions.length + 2 > most.promotions;
    return isFull ? "there are too many conflicts" : undefined;
  }

  #add(promotion: Promotion): void {
    const same = sameness(promotion.text);
    if (this.#said.has(same)) return;
    if (this.promotions.length >= most.promotions)
      return this.refuse("there are too many promotions");
    this.#said.add(same);
    this.promotions.push(promotion);
  }
}

/** Both of daily files; what stands in MEMORY.md is always the older one. */
function isEarlier(one: Item, other: Item): boolean {
  if (one.day === null || other.day === null) return one.day === null;
  return `${one.day} ${one.at ?? ""}` < `${other.day} ${other.at ?? ""}`;
}

function judgeOutdated(
  pieces: readonly unknown[],
  { shown, longTerm }: Judging,
  desk: Desk,
): Item[] {
  const named = new Set(
    pieces.map((piece) => shown.known.get(proposedOutdated.safeParse(piece).data ?? "")),
  );
  const going: Item[] = [];
  for (const item of named) {
    if (item === undefined) desk.refuse("what is said to be over was not shown");
    else if (isByHand(item)) desk.refuse("it may be over, but a person wrote it by hand", item);
    else if (desk.opposed.has(item)) desk.refuse("it may be over, but it is in a conflict", item);
    else going.push(item);
  }
  const written = longTerm.filter((item) => !isByHand(item)).length;
  const bound = Math.min(most.outdated, Math.max(1, Math.floor(written * most.shareOutdated)));
  if (going.length <= bound) return going;
  desk.refuse(
    `${going.length} entries at once are said to be over: more than ${bound}, so all stay`,
  );
  return [];
}

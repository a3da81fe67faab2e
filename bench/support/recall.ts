import type { MemoryIndex } from "../../src/ports/memory-index.ts";
import type { MemoryDocument } from "../../src/schema/memory.ts";
import { categories, type Category, type Conversation, type Question } from "./conversations.ts";

/** How much of what answers a question a search finds. Scored as LoCoMo's paper does: the share of the turns of evidence among the
 *  first k results, one turn each; a question without evidence counts 1. */

export const depths = [5, 10, 25] as const;

export type Recall = {
  readonly questions: number;
  /** In percent, for each of `depths`. */
  readonly at: readonly number[];
};

export type RecallReport = {
  readonly overall: Recall;
  readonly byCategory: ReadonlyMap<Category, Recall>;
};

/** A conversation as a document, a turn as a chunk: line n is turn n. */
export function documentOf({ id, sessions }: Conversation): MemoryDocument {
  const turns = sessions.flatMap(({ date, turns: said }) =>
    said.map(({ text }) => ({ text, heading: date })),
  );
  return {
    path: `${id}.md`,
    partition: id,
    kind: "memory",
    version: "1",
    chunks: turns.map((turn, at) => ({
      ...turn,
      line_start: at + 1,
      line_end: at + 1,
      origins: [],
    })),
  };
}

export async function measureRecall(
  index: MemoryIndex,
  conversations: readonly Conversation[],
): Promise<RecallReport> {
  const scored: Scored[] = [];
  for (const conversation of conversations) {
    const turnIds = conversation.sessions.flatMap(({ turns }) => turns.map(({ id }) => id));
    for (const question of conversation.questions) {
      const hits = await index.search({
        text: question.text,
        partitions: [conversation.id],
        kinds: ["memory"],
        limit: Math.max(...depths),
      });
      const found = hits.map(({ line_start }) => turnIds[line_start - 1] ?? "");
      scored.push({
        category: question.category,
        shares: depths.map((k) => shareIn(found.slice(0, k), question)),
      });
    }
  }
  return {
    overall: recallOf(scored),
    byCategory: new Map(
      categories.map((name) => [
        name,
        recallOf(scored.filter(({ category }) => category === name)),
      ]),
    ),
  };
}

type Scored = { readonly category: Category; readonly shares: readonly number[] };

function shareIn(found: readonly string[], { evidence }: Question): number {
  if (evidence.length === 0) return 1;
  return evidence.filter((id) => found.includes(id)).length / evidence.length;
}

function recallOf(scored: readonly Scored[]): Recall {
  const at = depths.map((_, place) => {
    const sum = scored.reduce((total, { shares }) => total + (shares[place] ?? 0), 0);
    return (100 * sum) / (scored.length || 1);
  });
  return { questions: scored.length, at };
}

import { memorySettings, type MemorySettings } from "../../src/memory/settings.ts";
import type { Embedder } from "../../src/ports/embedder.ts";
import type { Conversation } from "./conversations.ts";
import { filledIndex, withKeptVectors } from "./filled-index.ts";
import { documentOf, measureRecall, type RecallReport } from "./recall.ts";

/** Ways to search that are compared; none but `classic` leaves out what is far from the best. */

const tuned: MemorySettings = { ...memorySettings(), relative_cut: 0, min_score: 0 };

export type Mode = "keyword" | "vector" | "hybrid" | "classic";

const settingsOf: Record<Mode, MemorySettings> = {
  keyword: tuned,
  vector: { ...tuned, vector_weight: 1 },
  hybrid: tuned,
  classic: memorySettings({ preset: "classic", max_results: 25 }),
};

/** @param embedder null: words alone are measured */
export async function compareModes(
  conversations: readonly Conversation[],
  embedder: Embedder | null,
): Promise<ReadonlyMap<Mode, RecallReport>> {
  const kept = embedder === null ? null : withKeptVectors(embedder);
  const modes: readonly Mode[] =
    kept === null ? ["keyword"] : ["keyword", "vector", "hybrid", "classic"];
  const reports = new Map<Mode, RecallReport>();
  for (const mode of modes) {
    const index = await filledIndex(
      { settings: settingsOf[mode], embedder: mode === "keyword" ? null : kept },
      conversations.map(documentOf),
    );
    reports.set(mode, await measureRecall(index, conversations));
    await index.close();
  }
  return reports;
}

import type { MainConfig } from "../schema/config/config.ts";

/** How texts are cut, found and shown again: `memory` of config/main.yaml, with what its preset says for what is left out. */
export type MemorySettings = {
  readonly max_results: number;
  /** From 0 to 1; `auto`: what the embedder is good for. */
  readonly vector_weight: number | "auto";
  readonly min_score: number;
  /** Of the best score. */
  readonly relative_cut: number;
  /** By words and by likeness, each. */
  readonly candidates: number;
  readonly chunk_tokens: number;
  readonly overlap_tokens: number;
  /** Neighbours on each side whose words a chunk is found by. */
  readonly context_chunks: number;
  readonly recall_tokens: number;
};

type Preset = Omit<MemorySettings, "candidates"> & { candidates: (maxResults: number) => number };

/** `tuned` is what measured best, `classic` what is usual: docs/decisions/0032-index-of-memory.md */
const presets: Record<MainConfig["memory"]["preset"], Preset> = {
  tuned: {
    max_results: 6,
    vector_weight: "auto",
    min_score: 0,
    relative_cut: 0.6,
    candidates: () => 400,
    chunk_tokens: 80,
    overlap_tokens: 0,
    context_chunks: 2,
    recall_tokens: 1500,
  },
  classic: {
    max_results: 6,
    vector_weight: 0.7,
    min_score: 0.35,
    relative_cut: 0,
    candidates: (maxResults) => 4 * maxResults,
    chunk_tokens: 400,
    overlap_tokens: 80,
    context_chunks: 0,
    recall_tokens: 1500,
  },
};

export function memorySettings(config: Partial<MainConfig["memory"]> = {}): MemorySettings {
  const preset = presets[config.preset ?? "tuned"];
  const maxResults = config.max_results ?? preset.max_results;
  const chunkTokens = config.chunk_tokens ?? preset.chunk_tokens;
  return {
    max_results: maxResults,
    vector_weight: config.vector_weight ?? preset.vector_weight,
    min_score: config.min_score ?? preset.min_score,
    relative_cut: config.relative_cut ?? preset.relative_cut,
    candidates: config.candidates ?? preset.candidates(maxResults),
    chunk_tokens: chunkTokens,
    overlap_tokens: Math.min(
      config.overlap_tokens ?? preset.overlap_tokens,
      Math.floor(chunkTokens / 2),
    ),
    context_chunks: config.context_chunks ?? preset.context_chunks,
    recall_tokens: config.recall_tokens ?? preset.recall_tokens,
  };
}

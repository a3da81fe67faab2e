import type { Material, MemoryText } from "../../../src/memory/consolidation/material.ts";
import { planConsolidation, type TextPlan } from "../../../src/memory/consolidation/plan.ts";
import type { ConsolidationProposal } from "../../../src/schema/consolidation.ts";

/** A small partition: what a person 1001 owns, on 22 November. */

export const longTermPath = "main/local/MEMORY.md";

export function daily(day: string, ...lines: readonly string[]): MemoryText {
  return { path: `main/local/${day}.md`, text: `# ${day}\n\n${lines.join("\n")}\n`, day };
}

export function longTerm(...lines: readonly string[]): MemoryText {
  return { path: longTermPath, text: `# Memory\n\n${lines.join("\n")}\n`, day: null };
}

export function materialOf(
  files: readonly MemoryText[],
  changes: Partial<Material> = {},
): Material {
  return {
    long_term_path: longTermPath,
    today: "2026-11-22",
    files,
    considered: new Map(),
    trusts: (origin) => origin === "user:1001",
    rules: { forget_after_days: 90, promote: true },
    ...changes,
  };
}

export function proposed(pieces: Partial<ConsolidationProposal>): ConsolidationProposal {
  return { promote: [], conflicts: [], outdated: [], ...pieces };
}

/** The partition as it is once the plan is done. */
export function after(material: Material, plan: TextPlan): Material {
  const changed = new Map(plan.texts.map(({ path, text }) => [path, text]));
  const kept = material.files.flatMap((file): MemoryText[] => {
    const text = changed.get(file.path);
    return text === undefined ? [file] : text === null ? [] : [{ ...file, text }];
  });
  const created = plan.texts.flatMap(({ path, text }): MemoryText[] =>
    text === null || material.files.some((file) => file.path === path)
      ? []
      : [{ path, text, day: null }],
  );
  const considered = new Map(material.considered);
  for (const { path, entries } of plan.considered) considered.set(path, new Set(entries));
  return { ...material, files: [...kept, ...created], considered };
}

export function planned(
  files: readonly MemoryText[],
  pieces: Partial<ConsolidationProposal> | undefined,
  changes: Partial<Material> = {},
) {
  const material = materialOf(files, changes);
  const plan = planConsolidation(material, pieces === undefined ? undefined : proposed(pieces));
  const texts = Object.fromEntries(plan.texts.map(({ path, text }) => [path, text]));
  return {
    material,
    plan,
    texts,
    notes: plan.notes.map(({ kind, line, text }) => `${kind} ${line}: ${text}`),
  };
}

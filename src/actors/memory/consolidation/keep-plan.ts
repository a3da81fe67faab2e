import type { TextPlan } from "../../../memory/consolidation/plan.ts";
import type { MemoryVersions } from "../../../ports/memory-versions.ts";
import type { ConsolidationNote, ConsolidationPlan } from "../../../schema/consolidation.ts";
import type { FoundMaterial } from "./read-material.ts";

/** A plan without texts: those are kept as versions beside the files, where forgetting reaches them. */

const mostNotes = 200;
const mostCharacters = 300;

export async function keepPlan(
  versions: MemoryVersions,
  { texts, notes, considered }: TextPlan,
  found: FoundMaterial,
): Promise<ConsolidationPlan> {
  const files = [];
  for (const { path, text } of texts) {
    const now = found.material.files.find((file) => file.path === path)?.text ?? null;
    files.push({ path, before: await kept(versions, now), after: await kept(versions, text) });
  }
  const all = [...found.notes, ...notes];
  return {
    files,
    notes: all.slice(0, mostNotes).map(shortened),
    more_notes: Math.max(0, all.length - mostNotes),
    considered: [...considered],
  };
}

async function kept(versions: MemoryVersions, text: string | null): Promise<string | null> {
  return text === null ? null : versions.keep(new TextEncoder().encode(text));
}

function shortened(note: ConsolidationNote): ConsolidationNote {
  return { ...note, text: note.text.slice(0, mostCharacters) };
}

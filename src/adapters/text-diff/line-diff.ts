import {
  applyPatch,
  createTwoFilesPatch,
  diffLines,
  FILE_HEADERS_ONLY,
  reversePatch,
  structuredPatch,
} from "diff";
import type { TextDiff } from "../../ports/text-diff.ts";

/** Texts of many thousand lines that have little in common take minutes to compare well; those are told as replaced whole. */
const longestEditScript = 4_000;

export const lineDiff: TextDiff = {
  count: (before, after) => {
    const parts = diffLines(before, after, { maxEditLength: longestEditScript });
    if (parts === undefined) return { added: linesIn(after), removed: linesIn(before) };
    const lines = (kind: "added" | "removed") =>
      parts.reduce((sum, part) => (part[kind] ? sum + part.count : sum), 0);
    return { added: lines("added"), removed: lines("removed") };
  },
  undo: (present, { before, after }) => {
    if (present === after) return before;
    const patch = structuredPatch("", "", before, after, undefined, undefined, {
      context: 2,
      maxEditLength: longestEditScript,
    });
    if (patch === undefined) return undefined;
    const undone = applyPatch(present, reversePatch(patch), { fuzzFactor: 2 });
    return undone === false ? undefined : undone;
  },
  show: (before, after, path) => {
    const shown = createTwoFilesPatch(path, path, before, after, undefined, undefined, {
      context: 3,
      headerOptions: FILE_HEADERS_ONLY,
      maxEditLength: longestEditScript,
    });
    return shown ?? `${path} was replaced whole.\n`;
  },
};

function linesIn(text: string): number {
  return text.split("\n").length - (text === "" || text.endsWith("\n") ? 1 : 0);
}

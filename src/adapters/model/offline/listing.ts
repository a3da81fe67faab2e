import { runCalls, type Intent } from "./script.ts";
import { tellRound } from "./telling.ts";
import { cleanPath, hasFileEnding, pathPattern, pathsIn } from "./words.ts";

/** "list my files", "what is in src", "show me everything below docs". */

const shortForm = new RegExp(
  `^(?:ls|dir|tree|list)(?:\\s+${pathPattern})?(?:\\s+(?:with\\s+)?depth\\s+\\d+)?\\s*[.?!]*$`,
  "i",
);
const longForm =
  /^(?:list|show|ls|tree|see|give me|what|which)\b.*\b(?:files?|folders?|director(?:y|ies)|contents?|workspace|everything)\b/is;
const whatIsIn = new RegExp(
  `^what(?:'s| is| do you see)\\s+(?:there\\s+)?(?:in|inside|under|below)\\s+(?:the\\s+|my\\s+)?${pathPattern}(?:\\s+(?:folder|directory))?\\s*[.?!]*$`,
  "i",
);
const place = new RegExp(
  `\\b(?:in|inside|under|below|of|from|at)\\s+(?:the\\s+|my\\s+)?(?:folder\\s+|directory\\s+)?${pathPattern}`,
  "i",
);
const noPlace =
  /^(?:it|here|there|this|that|them|the|my|files?|workspace|folder|directory|everything|all|current|depth|order|[.?!]*)$/i;
const levels = /\b(?:depth\s+(\d+)|(\d+)\s+levels?)\b/i;
const deep =
  /\b(?:recursive(?:ly)?|tree|everything|all (?:the |my )?files|below|with subfolders)\b/i;

function placeIn(sentence: string): string | undefined {
  const found =
    shortForm.exec(sentence)?.[1] ?? whatIsIn.exec(sentence)?.[1] ?? place.exec(sentence)?.[1];
  const path = found === undefined ? "" : cleanPath(found).replace(/(.)\/$/, "$1");
  return noPlace.test(path) ? undefined : path;
}

function depthIn(sentence: string): number | undefined {
  const named = levels.exec(sentence);
  const depth = Number(named?.[1] ?? named?.[2] ?? (deep.test(sentence) ? 3 : 1));
  return depth === 1 ? undefined : Math.min(10, Math.max(1, depth));
}

export const listing: Intent = {
  ability: "list files",
  tool: "file_list",
  examples: ["list my files", "what is in src"],
  understand(sentence) {
    if (!shortForm.test(sentence) && !longForm.test(sentence) && !whatIsIn.test(sentence))
      return undefined;
    if (pathsIn(sentence).some(hasFileEnding)) return undefined;
    const path = placeIn(sentence);
    const depth = depthIn(sentence);
    const input = {
      ...(path === undefined ? {} : { path }),
      ...(depth === undefined ? {} : { depth }),
    };
    return {
      isComplete: true,
      *script(scene) {
        return tellRound(yield* runCalls(scene, [{ tool: "file_list", input }]));
      },
    };
  },
};

import type { JsonObject } from "../../../schema/json.ts";
import { lastPath, listedFiles, ordinal } from "./past.ts";
import { askPerson, runCalls, type Intent, type Scene } from "./script.ts";
import { tellRound } from "./telling.ts";
import { cleanPath, pathsIn } from "./words.ts";

/** "read a.txt", "show me lines 10 to 20 of a.txt", "what does a.txt say", "read the first one". */

const verb =
  /^(?:lines?\s+\d|read|show|open|cat|print|display|view|look at|what(?:'s| is| does| do)|tell me what|give me|see)\b/i;
const plainVerb = /^(?:read|open|cat|view)\b/i;
const lineRange = /\blines?\s+(\d+)(?:\s*(?:to|-|–|through|until|and)\s*(\d+))?/i;
const firstLines = /\bfirst\s+(\d+)\s+lines\b/i;
const fromLine = /\bfrom line\s+(\d+)/i;
const maxAtOnce = 5;

function windowOf(sentence: string): JsonObject {
  const first = firstLines.exec(sentence);
  if (first !== null) return { offset: 1, limit: Number(first[1]) };
  const from = fromLine.exec(sentence);
  if (from !== null) return { offset: Number(from[1]) };
  const range = lineRange.exec(sentence);
  if (range === null) return {};
  const start = Math.max(1, Number(range[1]));
  return { offset: start, limit: Math.max(1, Number(range[2] ?? start) - start + 1) };
}

/** The files that words such as "the first one", "them" or "it" stand for. */
function referredFiles(sentence: string, scene: Scene): readonly string[] {
  const files = listedFiles(scene.past);
  if (/\b(?:them(?: all)?|all (?:of them|files)|both)\b/i.test(sentence))
    return files.slice(0, maxAtOnce);
  const place = ordinal(sentence);
  const chosen = place === undefined ? lastPath(scene.past) : files.at(place);
  return chosen === undefined ? [] : [chosen];
}

const reference =
  /\b(?:it|them|both|all of them|all files|that (?:file|one)|this (?:file|one)|the file again|(?:first|second|third|last|\d+(?:st|nd|rd|th)) (?:one|file|of them))\b/i;

export const reading: Intent = {
  ability: "read files",
  tool: "file_read",
  examples: ["read notes.txt", "show me lines 10 to 20 of notes.txt", "read a.txt and b.txt"],
  understand(sentence) {
    if (!verb.test(sentence)) return undefined;
    const named = pathsIn(sentence);
    const refers = named.length === 0 && reference.test(sentence);
    const asksForName = named.length === 0 && !refers && plainVerb.test(sentence);
    if (named.length === 0 && !refers && !asksForName) return undefined;
    return {
      isComplete: !asksForName,
      *script(scene) {
        let paths = refers ? referredFiles(sentence, scene) : named;
        if (asksForName) {
          const answer = yield* askPerson(scene, "Which file should I read?");
          if (answer === undefined) return "Tell me which file, for example: read notes.txt";
          paths = pathsIn(answer).length > 0 ? pathsIn(answer) : [cleanPath(answer)];
        }
        if (paths.length === 0)
          return "I do not see which file you mean. Name it, for example: read notes.txt";
        const calls = paths.map((path) => ({
          tool: "file_read",
          input: { path, ...windowOf(sentence) },
        }));
        return tellRound(yield* runCalls(scene, calls));
      },
    };
  },
};

import { runCalls, type Intent } from "./script.ts";
import { tellRound } from "./telling.ts";
import { cleanPath, unquoted, withoutEnding } from "./words.ts";

/** "search for TODO", "find milk in my files", "search src for createServer". */

const placeFirst = /^(?:search|grep|look through)\s+(.+?)\s+for\s+(\S.*)$/is;
const textFirst =
  /^(?:search(?:\s+for)?|look\s+for|grep(?:\s+for)?|find)\s+(\S.*?)(?:\s+(?:in|inside|below|under|within)\s+(\S.*))?$/is;
const everywhere =
  /^(?:(?:all|any|my|the|of|these|those)\s+)*(?:files?|workspace|folders?|documents?|everything|everywhere|here)[.?!]*$/i;
const placeWords = /^(?:(?:the|my)\s+)?(?:(?:file|folder|directory)\s+)?/i;
const textWords = /^(?:the\s+)?(?:text|words?|phrase|string)\s+/i;

function placeIn(words: string | undefined): string | undefined {
  if (words === undefined || everywhere.test(words)) return undefined;
  return cleanPath(words.replace(placeWords, "")).replace(/(.)\/$/, "$1");
}

function parts(sentence: string): { readonly text: string; readonly place?: string } | undefined {
  const [, place, wanted] = placeFirst.exec(sentence) ?? [];
  if (place !== undefined && wanted !== undefined && !/^for\b/i.test(place))
    return { text: wanted, place };
  const [, text, within] = textFirst.exec(sentence) ?? [];
  if (text === undefined || everywhere.test(text)) return undefined;
  return { text, ...(within === undefined ? {} : { place: within }) };
}

export const searching: Intent = {
  ability: "search in files",
  tool: "file_search",
  examples: ["search for TODO", "find milk in my files"],
  understand(sentence) {
    const wanted = parts(sentence);
    if (wanted === undefined) return undefined;
    const pattern = unquoted(withoutEnding(wanted.text.replace(textWords, ""), ".?!"));
    const path = placeIn(wanted.place);
    const input = { pattern, ...(path === undefined ? {} : { path }) };
    return {
      isComplete: true,
      *script(scene) {
        return tellRound(yield* runCalls(scene, [{ tool: "file_search", input }]));
      },
    };
  },
};

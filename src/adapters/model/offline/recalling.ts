import { runCalls, type Intent } from "./script.ts";
import { tellRound } from "./telling.ts";
import { unquoted, withoutEnding } from "./words.ts";

/** "what do you remember about Anna?", "search your memory for the printer". */

const memory = String.raw`(?:(?:my|our|the|your)\s+)?memor(?:y|ies)`;
const requests = [
  /^what\s+(?:do|can)\s+you\s+(?:still\s+)?(?:remember|recall|know)\s+(?:about|of)\s+(\S.*)$/is,
  /^do\s+you\s+(?:still\s+)?(?:remember|recall)\s+(\S.*)$/is,
  new RegExp(
    String.raw`^(?:search|look)\s+(?:in\s+|through\s+)?${memory}\s+(?:for|about)\s+(\S.*)$`,
    "is",
  ),
  new RegExp(
    String.raw`^(?:search(?:\s+for)?|look\s+for|find)\s+(\S.*?)\s+(?:in|from)\s+${memory}[.?!]*$`,
    "is",
  ),
];

export const recalling: Intent = {
  ability: "find what was remembered",
  tool: "memory_search",
  examples: ["what do you remember about Anna?"],
  understand(sentence) {
    const words = requests.map((request) => request.exec(sentence)?.[1]).find(Boolean);
    const query = unquoted(withoutEnding(words ?? "", ".?!").trim());
    if (query === "") return undefined;
    return {
      isComplete: true,
      *script(scene) {
        return tellRound(yield* runCalls(scene, [{ tool: "memory_search", input: { query } }]));
      },
    };
  },
};
